/** A raw RGB picture, made from its number. */
export function makeLargePicture(
  number: number,
  size?: readonly [width: number, height: number],
): Promise<{ data: Buffer; info: { width: number; height: number; channels: number } }>;
