import { readFile } from 'node:fs/promises';
import { parseTrustedLog, RECEIPT_FAULTS, type ReceiptReport, verifyReceipt } from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { print } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** `colophon verify <receipt> --key <key>`: tells whether a receipt holds, from the file and the key alone. */
export async function verifyReceiptFile(
  file: string,
  { key, json }: { key: string; json: boolean | undefined },
): Promise<void> {
  const trusted = parseTrustedLog(key);
  if (trusted === undefined) {
    throw new UsageError(
      '--key takes <origin>+<key id>+<base64>, as GET /v1/log gives it, or 64 hex digits.',
    );
  }
  const report = verifyReceipt(parseJson(await readFile(file, 'utf8')), trusted, createVerifySignature());
  print(report, { json, describe: () => describe(file, report) });
  if (!report.verified) throw new NotVerifiedError(`${file} does not hold: ${report.code}.`);
}

function describe(file: string, report: ReceiptReport): string {
  if (!report.verified) return `${RECEIPT_FAULTS[report.code]}\n`;
  const { kind, digest, origin, leafIndex, size, anchor } = report;
  const unchecked = anchor === 'notChecked' ? 'Its anchor on a chain was not checked.\n' : '';
  return (
    `${file} holds: this ${kind}, as it stands there, is in the log.\n` +
    `record  ${digest}\nlog     ${origin}\nleaf    ${leafIndex} of ${size}\n${unchecked}`
  );
}

/** What is no JSON is no receipt either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
