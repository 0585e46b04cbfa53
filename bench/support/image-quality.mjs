/** Peak signal-to-noise ratio over all bytes, in dB. */
export function psnr(first, second) {
  let sum = 0;
  for (let at = 0; at < first.length; at++) sum += (first[at] - second[at]) ** 2;
  return 10 * Math.log10((255 ** 2 * first.length) / Math.max(sum, 1e-9));
}

const WINDOW = 8;
const STEP = 4;

/** Structural similarity of the brightness (Wang et al. 2004), mean over windows of 8 x 8 pixels, every 4 pixels. */
export function ssim(first, second, { width, height }) {
  const a = luma(first);
  const b = luma(second);
  let sum = 0;
  let count = 0;
  for (let y = 0; y + WINDOW <= height; y += STEP) {
    for (let x = 0; x + WINDOW <= width; x += STEP) {
      sum += windowSimilarity(a, b, { x, y, width });
      count++;
    }
  }
  return sum / count;
}

const luma = (rgb) =>
  Float32Array.from({ length: rgb.length / 3 }, (_, at) => {
    return 0.299 * rgb[at * 3] + 0.587 * rgb[at * 3 + 1] + 0.114 * rgb[at * 3 + 2];
  });

function windowSimilarity(a, b, { x, y, width }) {
  const sums = { a: 0, b: 0, aa: 0, bb: 0, ab: 0 };
  for (let row = y; row < y + WINDOW; row++) {
    for (let at = row * width + x; at < row * width + x + WINDOW; at++) {
      sums.a += a[at];
      sums.b += b[at];
      sums.aa += a[at] * a[at];
      sums.bb += b[at] * b[at];
      sums.ab += a[at] * b[at];
    }
  }
  const count = WINDOW * WINDOW;
  const [meanA, meanB] = [sums.a / count, sums.b / count];
  const varianceA = sums.aa / count - meanA * meanA;
  const varianceB = sums.bb / count - meanB * meanB;
  const shared = sums.ab / count - meanA * meanB;
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  return (
    ((2 * meanA * meanB + c1) * (2 * shared + c2)) /
    ((meanA * meanA + meanB * meanB + c1) * (varianceA + varianceB + c2))
  );
}
