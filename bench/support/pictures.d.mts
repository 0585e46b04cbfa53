/** A picture as PNG, made from its number. */
export function makePicture(number: number): Promise<Buffer>;
/** Usual alterations of pictures, by name. */
export const ALTERATIONS: Record<string, (picture: Buffer) => Promise<Buffer>>;
