export function makeSound(number: number, seconds?: number): Float32Array;
export const CHANGES: Readonly<Record<string, (samples: Float32Array) => Float32Array>>;
export function toWav(samples: Float32Array): Buffer;
