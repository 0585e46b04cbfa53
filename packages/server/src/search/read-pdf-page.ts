import { type DecoderBounds, runDecoder } from './run-decoder.js';

/** Longest side of the picture, in pixels: twice that of a thumbnail, for smooth text. */
const SIDE = 512;
const MAX_BYTES = 4 * 2 ** 20;

/** Draws the first page of a PDF as PNG. The result is empty if no page was drawn. */
export async function readPdfPage(
  pdftoppm: string,
  { path, ...bounds }: Omit<DecoderBounds, 'maxBytes'> & { path: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const flags = ['-q', '-png', '-f', '1', '-l', '1', '-singlefile', '-scale-to', String(SIDE), path];
  return (await runDecoder([pdftoppm, ...flags], { ...bounds, maxBytes: MAX_BYTES })).output;
}
