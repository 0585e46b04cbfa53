/** A picture as PNG, made from its number. */
export function makePicture(number: number): Promise<Buffer>;
/** What is done to pictures on their way through the world, by name. */
export const ALTERATIONS: Record<string, (picture: Buffer) => Promise<Buffer>>;
