import { spawnSync } from 'node:child_process';
import { inNamelessFile } from '../nameless-file.js';
import { toLimitedCommand } from '../run-decoder.js';

/** Memory limit of pdftotext, in bytes. */
export const PDF_READER_BYTES = 128 * 2 ** 20;
/** Number of pages at the start of a PDF that are read. */
const PAGES = 100;
const MAX_TEXT_BYTES = 2 ** 20;
const LIMIT_MS = 5_000;
/** Exit codes of a shell that cannot start the program. They tell nothing about the PDF. */
const NOT_STARTED = [126, 127];
/** The file descriptor of the PDF in pdftotext. */
const PDF = 3;

/**
 * Returns the text of the first pages of a PDF, at most 1 MiB of UTF-8. Runs pdftotext in a process of its own, with
 * limits of time and memory. Undefined when the PDF is damaged, needs a password, or exceeds a limit. Throws when the
 * program cannot start.
 */
export function readPdfText(pdftotext: string, bytes: Uint8Array): Uint8Array | undefined {
  const flags = ['-q', '-enc', 'UTF-8', '-nopgbrk', '-l', String(PAGES), `/dev/fd/${PDF}`, '-'];
  const limits = { dataBytes: PDF_READER_BYTES, addressBytes: 4 * PDF_READER_BYTES, fileBytes: 0 };
  const [shell, ...command] = toLimitedCommand([pdftotext, ...flags], limits);
  return inNamelessFile('page', bytes, (file) => {
    const { status, stdout, error } = spawnSync(shell, command, {
      env: {},
      cwd: '/',
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_TEXT_BYTES,
      stdio: ['ignore', 'pipe', 'ignore', file],
    });
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    const isCut = code === 'ENOBUFS';
    const didRun = code === undefined || isCut || code === 'ETIMEDOUT';
    if (!didRun || NOT_STARTED.includes(status ?? 0))
      throw new Error(`pdftotext did not run (${code ?? `exit code ${status}`})`);
    return status === 0 || isCut ? stdout.subarray(0, MAX_TEXT_BYTES) : undefined;
  });
}
