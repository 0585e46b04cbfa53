export function makePicture(number: number): Promise<Buffer>;
export const ALTERATIONS: Record<string, (picture: Buffer) => Promise<Buffer>>;
