// The same number gives the same picture on every machine.
import sharp from 'sharp';
import { createNext } from './random.mjs';

const WIDTH = 480;
const HEIGHT = 360;

/** Returns a PNG. */
export async function makePicture(number) {
  const random = createRandom(number);
  const kind = KINDS[number % KINDS.length];
  const rgb = new Uint8ClampedArray(WIDTH * HEIGHT * 3);
  kind(rgb, random);
  return sharp(rgb, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .png()
    .toBuffer();
}

export const ALTERATIONS = {
  'resize to 25 %': (picture) =>
    sharp(picture)
      .resize(Math.round(WIDTH / 4))
      .png()
      .toBuffer(),
  'JPEG q30': (picture) => sharp(picture).jpeg({ quality: 30 }).toBuffer(),
  'crop 10 %': (picture) => crop(picture, 0.05, 0.05, 0.9),
  'crop 10 %, one corner': (picture) => crop(picture, 0, 0.1, 0.9),
  grayscale: (picture) => sharp(picture).grayscale().png().toBuffer(),
  'brightness 1.3': (picture) => sharp(picture).modulate({ brightness: 1.3 }).png().toBuffer(),
  'brightness 0.6': (picture) => sharp(picture).modulate({ brightness: 0.6 }).png().toBuffer(),
  watermark: (picture) =>
    sharp(picture)
      .composite([{ input: Buffer.from(WATERMARK) }])
      .png()
      .toBuffer(),
  'flip left to right': (picture) => sharp(picture).flop().png().toBuffer(),
  'flip top to bottom': (picture) => sharp(picture).flip().png().toBuffer(),
  'turn by 90 degrees': (picture) => sharp(picture).rotate(90).png().toBuffer(),
  'turn by 180 degrees': (picture) => sharp(picture).rotate(180).png().toBuffer(),
  'turn by 270 degrees': (picture) => sharp(picture).rotate(270).png().toBuffer(),
  'tilt by 3 degrees': (picture) => sharp(picture).rotate(3, { background: 'white' }).png().toBuffer(),
  'border of 8 %': (picture) => border(picture, '#222'),
  'small, cropped and JPEG q40': async (picture) =>
    sharp(await crop(picture, 0.05, 0.05, 0.9))
      .resize(Math.round(WIDTH * 0.45))
      .jpeg({ quality: 40 })
      .toBuffer(),
};

const WATERMARK = `<svg width="${WIDTH}" height="${HEIGHT}"><g fill="white" fill-opacity="0.45" font-size="44"
  font-weight="bold" font-family="sans-serif" transform="rotate(-24 ${WIDTH / 2} ${HEIGHT / 2})">
  <rect x="40" y="160" width="400" height="10"/><rect x="40" y="210" width="400" height="10"/>
  <text x="60" y="202">PREVIEW COPY</text></g></svg>`;

function crop(picture, left, top, share) {
  const place = { left: Math.round(left * WIDTH), top: Math.round(top * HEIGHT) };
  const size = { width: Math.round(WIDTH * share), height: Math.round(HEIGHT * share) };
  return sharp(picture)
    .extract({ ...place, ...size })
    .png()
    .toBuffer();
}

function border(picture, background) {
  const [x, y] = [Math.round(WIDTH * 0.08), Math.round(HEIGHT * 0.08)];
  return sharp(picture).extend({ left: x, right: x, top: y, bottom: y, background }).png().toBuffer();
}

function createRandom(number) {
  const next = createNext(number, 0x85ebca6b);
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    colour: () => [0, 0, 0].map(() => next() * 255),
  };
}

const KINDS = [landscape, shapes, mosaic, blobs, page, texture, buildings];

function paint(rgb, colourAt) {
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) rgb.set(colourAt(x, y), (y * WIDTH + x) * 3);
  }
}

function createNoise(random, { cells, octaves }) {
  const layers = Array.from({ length: octaves }, (_, octave) => {
    const side = cells * 2 ** octave + 2;
    return { side, values: Float32Array.from({ length: side * side }, random.next), weight: 0.55 ** octave };
  });
  const total = layers.reduce((sum, { weight }) => sum + weight, 0);
  return (u, v) =>
    layers.reduce((sum, { side, values, weight }) => {
      const [x, y] = [u * (side - 2), v * (side - 2)];
      const [left, top] = [Math.floor(x), Math.floor(y)];
      const [a, b] = [ease(x - left), ease(y - top)];
      const at = (row, column) => values[(top + row) * side + left + column];
      const upper = at(0, 0) * (1 - a) + at(0, 1) * a;
      return sum + weight * (upper * (1 - b) + (at(1, 0) * (1 - a) + at(1, 1) * a) * b);
    }, 0) / total;
}

function ease(share) {
  return share * share * (3 - 2 * share);
}

function mix(a, b, share) {
  return a.map((value, channel) => value + (b[channel] - value) * share);
}

function landscape(rgb, random) {
  const [high, low, near] = [random.colour(), random.colour(), random.colour()];
  const clouds = createNoise(random, { cells: 4, octaves: 4 });
  const ridges = Array.from({ length: 4 }, (_, index) => ({
    base: 0.35 + index * 0.15,
    noise: createNoise(random, { cells: 3 + index, octaves: 3 }),
    colour: mix(low, near, (index + 1) / 4),
  }));
  const sun = { x: random.next(), y: random.between(0.05, 0.3), radius: random.between(0.03, 0.1) };
  paint(rgb, (x, y) => {
    const [u, v] = [x / WIDTH, y / HEIGHT];
    for (const { base, noise, colour } of ridges.toReversed()) {
      if (v > base + (noise(u, base) - 0.5) * 0.35) return mix(colour, [0, 0, 0], clouds(u, v) * 0.5);
    }
    if (Math.hypot(u - sun.x, (v - sun.y) * 0.75) < sun.radius) return [255, 245, 210];
    return mix(mix(high, low, v * 2), [255, 255, 255], Math.max(0, clouds(u, v) - 0.5));
  });
}

function shapes(rgb, random) {
  const [from, to] = [random.colour(), random.colour()];
  const list = Array.from({ length: 6 + Math.floor(random.next() * 14) }, () => ({
    x: random.next(),
    y: random.next(),
    size: random.between(0.03, 0.2),
    stretch: random.between(0.5, 2),
    isDisc: random.next() < 0.5,
    colour: random.colour(),
  }));
  paint(rgb, (x, y) => {
    const [u, v] = [x / WIDTH, y / HEIGHT];
    const hit = list.findLast(({ x: left, y: top, size, stretch, isDisc }) => {
      const [a, b] = [(u - left) / stretch, (v - top) * 0.75];
      return isDisc ? Math.hypot(a, b) < size : Math.max(Math.abs(a), Math.abs(b)) < size;
    });
    return hit?.colour ?? mix(from, to, (u + v) / 2);
  });
}

function mosaic(rgb, random) {
  const cells = Array.from({ length: 20 + Math.floor(random.next() * 40) }, () => ({
    x: random.next(),
    y: random.next(),
    colour: random.colour(),
  }));
  paint(rgb, (x, y) => {
    let [best, colour] = [Infinity, [0, 0, 0]];
    for (const cell of cells) {
      const distance = (x / WIDTH - cell.x) ** 2 + (y / HEIGHT - cell.y) ** 2;
      if (distance < best) [best, colour] = [distance, cell.colour];
    }
    return mix(colour, [0, 0, 0], Math.min(0.6, Math.sqrt(best) * 3));
  });
}

function blobs(rgb, random) {
  const ground = mix(random.colour(), [0, 0, 0], 0.6);
  const list = Array.from({ length: 8 + Math.floor(random.next() * 12) }, () => ({
    x: random.next(),
    y: random.next(),
    size: random.between(0.04, 0.25),
    colour: random.colour(),
  }));
  const grain = createNoise(random, { cells: 40, octaves: 2 });
  paint(rgb, (x, y) => {
    const [u, v] = [x / WIDTH, y / HEIGHT];
    return list.reduce(
      (colour, one) =>
        mix(colour, one.colour, 0.8 * Math.exp(-(((u - one.x) ** 2 + (v - one.y) ** 2) / one.size ** 2) * 2)),
      ground.map((value) => value + grain(u, v) * 40),
    );
  });
}

function page(rgb, random) {
  const [paper, ink] = random.next() < 0.5 ? [250, 30] : [35, 220];
  const boxes = [];
  const side = random.next() < 0.6 ? random.between(0.15, 0.3) : 0;
  if (side > 0) boxes.push({ left: 0, top: 0, right: side, bottom: 1, colour: random.colour() });
  for (let top = random.between(0.04, 0.1); top < 0.95; top += random.between(0.03, 0.07)) {
    const isPicture = random.next() < 0.12;
    const height = isPicture ? random.between(0.1, 0.25) : random.between(0.012, 0.022);
    for (let left = side + 0.04; left < random.between(0.6, 0.97); ) {
      const right = Math.min(0.97, left + (isPicture ? random.between(0.2, 0.5) : random.between(0.02, 0.1)));
      const colour = isPicture ? random.colour() : [ink, ink, ink];
      boxes.push({ left, top, right, bottom: top + height, colour });
      left = right + 0.012;
    }
    top += isPicture ? height : 0;
  }
  paint(rgb, (x, y) => {
    const [u, v] = [x / WIDTH, y / HEIGHT];
    const hit = boxes.findLast((box) => u >= box.left && u < box.right && v >= box.top && v < box.bottom);
    return hit?.colour ?? [paper, paper, paper];
  });
}

function texture(rgb, random) {
  const [from, to] = [mix(random.colour(), [255, 255, 255], 0.4), mix(random.colour(), [0, 0, 0], 0.5)];
  const noise = createNoise(random, { cells: 5 + Math.floor(random.next() * 6), octaves: 5 });
  const stretch = random.between(0.2, 1);
  const bands = random.between(0, 10);
  paint(rgb, (x, y) => {
    const value = noise((x / WIDTH) * stretch, y / HEIGHT);
    return mix(from, to, 0.5 + 0.5 * Math.sin(value * (6 + bands)));
  });
}

function buildings(rgb, random) {
  const [high, low] = [random.colour(), random.colour()];
  const fronts = [];
  for (let left = 0; left < 1; ) {
    const right = left + random.between(0.06, 0.2);
    const lit = Float32Array.from({ length: 400 }, random.next);
    fronts.push({
      left,
      right,
      top: random.between(0.1, 0.7),
      colour: random.colour(),
      lit,
      pitch: random.between(0.02, 0.05),
    });
    left = right;
  }
  paint(rgb, (x, y) => {
    const [u, v] = [x / WIDTH, y / HEIGHT];
    const front = fronts.find(({ left, right }) => u >= left && u < right);
    if (front === undefined || v < front.top) return mix(high, low, v);
    const [a, b] = [(u - front.left) / front.pitch, (v - front.top) / front.pitch];
    const isWindow = a % 1 > 0.3 && b % 1 > 0.35;
    const lamp = front.lit[(Math.floor(b) * 17 + Math.floor(a)) % front.lit.length];
    return isWindow ? (lamp > 0.55 ? [250, 230, 150] : [25, 30, 45]) : front.colour;
  });
}
