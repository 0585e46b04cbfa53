import { encodingOf } from './words.js';

/** Number of bytes at the beginning of a text from which its first lines are read. */
export const FIRST_BYTES = 4096;
const MAX_BYTES = 1024;
const MAX_LINES = 16;
/** All control characters except tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * Returns the first lines of a text in UTF-8: at most 16 lines and 1 KiB, without control characters. `bytes` is the
 * beginning of the text. A character that is cut at the end is left out.
 */
export function readFirstLines(bytes: Uint8Array): string {
  const text = decodeWhole(bytes, encodingOf(bytes)).replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');
  const lines = Buffer.from(text.split('\n', MAX_LINES).join('\n'));
  return decodeWhole(lines.subarray(0, MAX_BYTES), 'utf-8').trimEnd();
}

/** Decodes all complete characters. With `stream`, the decoder keeps an incomplete one for the next call. */
function decodeWhole(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}
