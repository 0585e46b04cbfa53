import { inNamelessFile } from '../nameless-file.js';
import { OPEN_FILE, runOnFile } from '../run-on-file.js';

export const PDF_READER_BYTES = 128 * 2 ** 20;
const PAGES = 100;
const MAX_TEXT_BYTES = 2 ** 20;
const BOUNDS = {
  dataBytes: PDF_READER_BYTES,
  addressBytes: 4 * PDF_READER_BYTES,
  fileBytes: 0,
  niceness: 5,
  cpuSeconds: 5,
  limitMs: 20_000,
  maxBytes: MAX_TEXT_BYTES,
};

/**
 * Returns the text of the first pages, at most 1 MiB of UTF-8. Undefined when the PDF is damaged or needs a password,
 * or when pdftotext exceeds its limits. Throws when pdftotext cannot start.
 */
export function readPdfText(pdftotext: string, bytes: Uint8Array): Uint8Array | undefined {
  const flags = ['-q', '-enc', 'UTF-8', '-nopgbrk', '-l', String(PAGES), OPEN_FILE, '-'];
  const program = { name: 'pdftotext', command: [pdftotext, ...flags] };
  const { status, output, isCut } = inNamelessFile('page', bytes, (file) => runOnFile(program, file, BOUNDS));
  return status === 0 || isCut ? output : undefined;
}
