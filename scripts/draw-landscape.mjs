import sharp from 'sharp';

/** With a title, the landscape is the cover of a magazine. */
export function drawLandscape({ sky, hills, hasMoons = false, hasBalloon = false, title = '' }) {
  const ridges = Array.from({ length: 4 }, (_, row) => {
    const points = Array.from(
      { length: 19 },
      (_point, at) => `${at * 40},${250 + row * 60 + 26 * Math.sin(at * (0.7 + row / 4) + row * 2)}`,
    );
    return `<polygon points="0,480 ${points.join(' ')} 720,480" fill="${hills}" opacity="${0.4 + row * 0.2}"/>`;
  });
  const moons = hasMoons
    ? '<circle cx="180" cy="110" r="52" fill="#f2d7ff"/><circle cx="520" cy="80" r="26" fill="#ffc9a3"/>'
    : '<circle cx="560" cy="110" r="44" fill="#fff3c4"/>';
  const balloon = hasBalloon
    ? '<ellipse cx="230" cy="150" rx="62" ry="74" fill="#c8372d"/><rect x="214" y="244" width="32" height="24" fill="#6b4a2b"/>'
    : '';
  const heading = `<text x="36" y="92" font-family="serif" font-size="74" font-weight="bold" fill="#fff6dc">${title}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="480"><rect width="720" height="480" fill="${sky}"/>${moons}${ridges.join('')}${balloon}${heading}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}
