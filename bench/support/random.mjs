/** Returns a generator of random numbers from 0 to 1 (xorshift32). */
export function createNext(number, salt) {
  let state = (Math.imul(number + 1, 0x9e3779b1) ^ salt) >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 8; round++) next();
  return next;
}
