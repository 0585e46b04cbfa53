/** Complex values, with real and imaginary parts in separate arrays. */
export interface Complex {
  re: Float32Array;
  im: Float32Array;
}

/**
 * Returns a function that replaces `size` complex values with their discrete Fourier transform. `size` is a power of
 * two.
 */
export function createTransform(size: number): (values: Complex) => void {
  const cos = Float64Array.from({ length: size / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sin = Float64Array.from({ length: size / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
  const reversed = reverseBits(size);
  return ({ re, im }) => {
    for (let i = 0; i < size; i++) {
      const j = reversed[i] ?? 0;
      if (j <= i) continue;
      const real = re[i] ?? 0;
      const imaginary = im[i] ?? 0;
      re[i] = re[j] ?? 0;
      im[i] = im[j] ?? 0;
      re[j] = real;
      im[j] = imaginary;
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half);
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const c = cos[k * stride] ?? 0;
          const s = sin[k * stride] ?? 0;
          const a = start + k;
          const b = a + half;
          const br = re[b] ?? 0;
          const bi = im[b] ?? 0;
          const real = br * c - bi * s;
          const imaginary = br * s + bi * c;
          const ar = re[a] ?? 0;
          const ai = im[a] ?? 0;
          re[b] = ar - real;
          im[b] = ai - imaginary;
          re[a] = ar + real;
          im[a] = ai + imaginary;
        }
      }
    }
  };
}

function reverseBits(size: number): Int32Array {
  const reversed = new Int32Array(size);
  for (let i = 1; i < size; i++) {
    reversed[i] = ((reversed[i >> 1] ?? 0) >> 1) | (i & 1 ? size >> 1 : 0);
  }
  return reversed;
}
