// Measures how much a mark changes a sound, without a listener.
const FRAME = 1024;
/** Frames below this level (full scale 1) are pauses. Both measures ignore them. */
const QUIET = 1e-3;

/** Segmental signal-to-noise ratio in dB: the mean over frames of 23 ms, each limited to -10 to 60 dB. */
export function segmentalSnr(before, after) {
  const ratios = [];
  for (let at = 0; at + FRAME <= before.length; at += FRAME) {
    let [signal, noise] = [0, 1e-15];
    for (let index = at; index < at + FRAME; index++) {
      signal += before[index] ** 2;
      noise += (after[index] - before[index]) ** 2;
    }
    if (signal / FRAME < QUIET ** 2) continue;
    ratios.push(Math.max(-10, Math.min(60, 10 * Math.log10(signal / noise))));
  }
  return ratios.reduce((sum, value) => sum + value, 0) / ratios.length;
}

/**
 * Measures noise-to-mask ratios in dB, for frames of 2048 samples and Bark bands. The mask uses Schroeder's spreading
 * function and Johnston's offset between tones and noise (IEEE JSAC 6, 1988), without the threshold in quiet. Returns
 * the 95th percentile, the mean of the ratios as powers, and the share of frames and bands where the change is above
 * the mask.
 */
export function noiseToMask(before, after, rate) {
  const size = 2048;
  const bands = toBands(size, rate);
  const ratios = [];
  for (let at = 0; at + size <= before.length; at += size) {
    const part = before.subarray(at, at + size);
    if (Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / size) < QUIET) continue;
    const power = powerOf(part);
    const noise = powerOf(part.map((value, index) => after[at + index] - value));
    const mask = maskOf(power, bands);
    for (const [band, [from, to]] of bands.entries())
      ratios.push(sum(noise, from, to) / (mask[band] + 1e-15));
  }
  ratios.sort((a, b) => a - b);
  const decibels = (value) => 10 * Math.log10(value + 1e-15);
  return {
    high: decibels(ratios[Math.floor(ratios.length * 0.95)]),
    mean: decibels(ratios.reduce((total, value) => total + value, 0) / ratios.length),
    above: ratios.filter((value) => value > 1).length / ratios.length,
  };
}

const sum = (values, from, to) => {
  let total = 0;
  for (let index = from; index < to; index++) total += values[index];
  return total;
};
const barkOf = (hertz) => 13 * Math.atan(0.00076 * hertz) + 3.5 * Math.atan((hertz / 7500) ** 2);

function toBands(size, rate) {
  const bands = [];
  for (let bin = 1; bin < size / 2; bin++) {
    const band = Math.floor(barkOf((bin * rate) / size));
    bands[band] ??= [bin, bin];
    bands[band][1] = bin + 1;
  }
  return bands.filter(Boolean);
}

function maskOf(power, bands) {
  const energy = bands.map(([from, to]) => sum(power, from, to));
  const tonal = bands.map(([from, to]) => {
    let logs = 0;
    for (let bin = from; bin < to; bin++) logs += Math.log10(power[bin] + 1e-15);
    const flatness = 10 * (logs / (to - from) - Math.log10(sum(power, from, to) / (to - from) + 1e-15));
    return Math.min(1, flatness / -60);
  });
  return bands.map((_, band) => {
    let spread = 0;
    for (const [other, value] of energy.entries()) {
      const dz = band - other + 0.474;
      spread += value * 10 ** ((15.81 + 7.5 * dz - 17.5 * Math.sqrt(1 + dz * dz)) / 10);
    }
    const offset = tonal[band] * (14.5 + band + 1) + (1 - tonal[band]) * 5.5;
    return spread * 10 ** (-offset / 10);
  });
}

/** Power spectrum with a Hann window. */
function powerOf(samples) {
  const size = samples.length;
  const re = Float64Array.from(
    samples,
    (value, n) => value * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size)),
  );
  const im = new Float64Array(size);
  transform(re, im);
  return re.subarray(0, size / 2).map((value, bin) => value * value + im[bin] * im[bin]);
}

function transform(re, im) {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / length), -Math.sin((2 * Math.PI * k) / length)];
      for (let start = k; start < size; start += length) {
        const other = start + length / 2;
        const [br, bi] = [re[other] * c - im[other] * s, re[other] * s + im[other] * c];
        [re[other], im[other]] = [re[start] - br, im[start] - bi];
        [re[start], im[start]] = [re[start] + br, im[start] + bi];
      }
    }
  }
}
