/** Scales a vector to this Euclidean norm. A zero vector stays zero. */
export function normalise(values: ArrayLike<number>, length: number): number[] {
  const list = Array.from(values);
  const present = Math.sqrt(list.reduce((sum, value) => sum + value * value, 0));
  return list.map((value) => (present === 0 ? 0 : (value / present) * length));
}

export function withoutMean(values: ArrayLike<number>): number[] {
  const list = Array.from(values);
  const mean = list.reduce((sum, value) => sum + value, 0) / list.length;
  return list.map((value) => value - mean);
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** Returns one character per number: `1` if it is positive, else `0`. */
export function signsOf(values: ArrayLike<number>): string {
  return Array.from(values, (value) => (value > 0 ? '1' : '0')).join('');
}
