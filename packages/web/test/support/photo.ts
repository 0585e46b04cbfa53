import sharp from 'sharp';

/** Another `hue` gives another picture. */
export function makePhoto({ hue = 200, width = 640 } = {}): Promise<Buffer> {
  const hills = Array.from({ length: 5 }, (_, row) => {
    const top = 170 + row * 55;
    const points = Array.from(
      { length: 13 },
      (_point, index) => `${index * 60},${top + 28 * Math.sin(index * (1.3 + row / 3) + row * hue)}`,
    );
    return `<polygon points="0,480 ${points.join(' ')} 720,480" fill="hsl(${(hue + row * 24) % 360},45%,${62 - row * 10}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="440">
    <rect width="640" height="440" fill="hsl(${hue},60%,85%)"/>
    <circle cx="${120 + (hue % 7) * 60}" cy="95" r="46" fill="hsl(45,95%,62%)"/>${hills.join('')}</svg>`;
  return sharp(Buffer.from(svg)).resize({ width }).jpeg({ quality: 88 }).toBuffer();
}
