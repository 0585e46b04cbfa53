import { readPdfText } from '../text/read-pdf-text.js';
import { describeText } from './describe-text.js';
import type { OpenedContent } from './opened-content.js';
import type { DescribeTask, Description } from './protocol.js';

/** A PDF is described by its text, so a search also finds the same text in another format. */
export function openPdf(
  pdftotext: string | undefined,
  { bytes }: Pick<DescribeTask, 'bytes'>,
): OpenedContent {
  return { describe: () => describePdf(pdftotext, bytes), readUnit: async () => undefined };
}

function describePdf(pdftotext: string | undefined, bytes: Uint8Array): Description {
  if (pdftotext === undefined)
    return { kind: 'nothing', reason: 'The service lacks the program pdftotext.', isPassing: true };
  const text = readPdfText(pdftotext, bytes);
  if (text !== undefined) return describeText(text);
  const reason = 'The text of the PDF cannot be read: it is damaged, needs a password, or is too large.';
  return { kind: 'nothing', reason };
}
