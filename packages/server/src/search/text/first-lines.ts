import { encodingOf } from './words.js';

export const FIRST_BYTES = 4096;
const MAX_BYTES = 1024;
const MAX_LINES = 16;
/** All control characters except tab and line feed. */
const CONTROLS = /[^\P{Cc}\t\n]/gu;

/**
 * Returns the first lines in UTF-8: at most 16 lines and 1 KiB, without control characters and incomplete characters.
 */
export function readFirstLines(bytes: Uint8Array): string {
  const text = decodeWhole(bytes, encodingOf(bytes)).replaceAll(/\r\n?/g, '\n').replaceAll(CONTROLS, '');
  const lines = Buffer.from(text.split('\n', MAX_LINES).join('\n'));
  return decodeWhole(lines.subarray(0, MAX_BYTES), 'utf-8').trimEnd();
}

/** With `stream`, the decoder keeps an incomplete character for the next call. */
function decodeWhole(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}
