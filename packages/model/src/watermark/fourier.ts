export interface Complex {
  re: Float32Array;
  im: Float32Array;
}

export const createComplex = (length: number): Complex => ({
  re: new Float32Array(length),
  im: new Float32Array(length),
});

/** The part shares the memory. */
export const viewOf = ({ re, im }: Complex, start: number, length: number): Complex => ({
  re: re.subarray(start, start + length),
  im: im.subarray(start, start + length),
});

/** Replaces the values with their discrete Fourier transform. `size` is a power of two. */
export function createTransform(size: number): (values: Complex) => void {
  const reversed = reverseBits(size);
  const isOdd = Math.log2(size) % 2 === 1;
  const passes = createPasses(size, isOdd ? 2 : 1);
  return (values) => {
    permute(values, reversed);
    if (isOdd) addPairs(values, size);
    for (const pass of passes) pass(values);
  };
}

/**
 * All values between the first and the last quarter are zero, so `input` has only these two quarters. `size` is a power
 * of four.
 */
export function createSparseTransform(size: number): (input: Complex, output: Complex) => void {
  const reversed = reverseBits(size).subarray(0, size / 4);
  const passes = createPasses(size, 4);
  return (input, output) => {
    spread(input, output, reversed);
    for (const pass of passes) pass(output);
  };
}

/** The first two stages. Half of the inputs are zero, so most sums have one term. */
function spread(input: Complex, output: Complex, reversed: Int32Array): void {
  const quarter = reversed.length;
  // This cosine is not exactly zero. `createTransform` multiplies by it too.
  const c = Math.cos(Math.PI / 2);
  for (let i = 0; i < quarter; i++) {
    const at = reversed[i] ?? 0;
    const ar = input.re[i] ?? 0;
    const ai = input.im[i] ?? 0;
    const br = input.re[i + quarter] ?? 0;
    const bi = input.im[i + quarter] ?? 0;
    const real = -br * c - bi;
    const imaginary = br - bi * c;
    output.re[at] = ar + br;
    output.im[at] = ai + bi;
    output.re[at + 1] = ar + real;
    output.im[at + 1] = ai + imaginary;
    output.re[at + 2] = ar - br;
    output.im[at + 2] = ai - bi;
    output.re[at + 3] = ar - real;
    output.im[at + 3] = ai - imaginary;
  }
}

/** Each pass does two stages. */
function createPasses(size: number, half: number): ((values: Complex) => void)[] {
  const passes = [];
  for (let length = half; length < size; length *= 4) passes.push(createPass(size, length));
  return passes;
}

/** Combines four neighbouring sub-transforms of `half` values into one. */
function createPass(size: number, half: number): (values: Complex) => void {
  const factors = passFactors(half);
  return ({ re, im }) => {
    for (let start = 0; start < size; start += 4 * half) {
      for (let k = 0; k < half; k++) {
        const a = start + k;
        const b = a + half;
        const c = b + half;
        const d = c + half;
        const c1 = factors[6 * k] ?? 0;
        const s1 = factors[6 * k + 1] ?? 0;
        // First stage: a with b, and c with d. `fround` rounds as the arrays of the radix-2 algorithm do.
        const br = (re[b] ?? 0) * c1 - (im[b] ?? 0) * s1;
        const bi = (re[b] ?? 0) * s1 + (im[b] ?? 0) * c1;
        const dr = (re[d] ?? 0) * c1 - (im[d] ?? 0) * s1;
        const di = (re[d] ?? 0) * s1 + (im[d] ?? 0) * c1;
        const aSumRe = Math.fround((re[a] ?? 0) + br);
        const aSumIm = Math.fround((im[a] ?? 0) + bi);
        const aDiffRe = Math.fround((re[a] ?? 0) - br);
        const aDiffIm = Math.fround((im[a] ?? 0) - bi);
        const cSumRe = Math.fround((re[c] ?? 0) + dr);
        const cSumIm = Math.fround((im[c] ?? 0) + di);
        const cDiffRe = Math.fround((re[c] ?? 0) - dr);
        const cDiffIm = Math.fround((im[c] ?? 0) - di);
        const c2 = factors[6 * k + 2] ?? 0;
        const s2 = factors[6 * k + 3] ?? 0;
        const c3 = factors[6 * k + 4] ?? 0;
        const s3 = factors[6 * k + 5] ?? 0;
        const evenRe = cSumRe * c2 - cSumIm * s2;
        const evenIm = cSumRe * s2 + cSumIm * c2;
        const oddRe = cDiffRe * c3 - cDiffIm * s3;
        const oddIm = cDiffRe * s3 + cDiffIm * c3;
        re[a] = aSumRe + evenRe;
        im[a] = aSumIm + evenIm;
        re[b] = aDiffRe + oddRe;
        im[b] = aDiffIm + oddIm;
        re[c] = aSumRe - evenRe;
        im[c] = aSumIm - evenIm;
        re[d] = aDiffRe - oddRe;
        im[d] = aDiffIm - oddIm;
      }
    }
  };
}

/** Three pairs for each `k` of `createPass`. */
function passFactors(half: number): Float64Array {
  const factors = new Float64Array(6 * half);
  for (let k = 0; k < half; k++) {
    const turns = [k / (2 * half), k / (4 * half), (k + half) / (4 * half)];
    for (const [index, turn] of turns.entries()) {
      factors[6 * k + 2 * index] = Math.cos(2 * Math.PI * turn);
      factors[6 * k + 2 * index + 1] = -Math.sin(2 * Math.PI * turn);
    }
  }
  return factors;
}

/** The first stage: sum and difference of neighbours. */
function addPairs({ re, im }: Complex, size: number): void {
  for (let a = 0; a < size; a += 2) {
    const [ar = 0, br = 0] = [re[a], re[a + 1]];
    const [ai = 0, bi = 0] = [im[a], im[a + 1]];
    re[a] = ar + br;
    im[a] = ai + bi;
    re[a + 1] = ar - br;
    im[a + 1] = ai - bi;
  }
}

function permute({ re, im }: Complex, reversed: Int32Array): void {
  for (let i = 0; i < reversed.length; i++) {
    const j = reversed[i] ?? 0;
    if (j <= i) continue;
    const real = re[i] ?? 0;
    const imaginary = im[i] ?? 0;
    re[i] = re[j] ?? 0;
    im[i] = im[j] ?? 0;
    re[j] = real;
    im[j] = imaginary;
  }
}

function reverseBits(size: number): Int32Array {
  const reversed = new Int32Array(size);
  for (let i = 1; i < size; i++) {
    reversed[i] = ((reversed[i >> 1] ?? 0) >> 1) | (i & 1 ? size >> 1 : 0);
  }
  return reversed;
}
