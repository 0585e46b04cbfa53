import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  parseTrustedLog,
  type TrustedLog,
  verifyByKeys,
  verifyDocument,
  verifyKeyHistory,
} from '@colophon/model';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { PYTHON } from '../support/programs.js';

/** The verifier in Python. */
export const TOOL = fileURLToPath(new URL('../../../../tools/verify_receipt.py', import.meta.url));
const verify = createVerifySignature();

/** A document to verify with both verifiers. */
export interface Case {
  text: string;
  key: string;
  strict: boolean;
  /** The key history to follow from the key. */
  keys?: string;
}

/** A report of either verifier. `signedOnly` is present in the report on a bundle. */
export type Report =
  | { verified: true; warnings: string[]; unproven?: string[]; signedOnly?: string[] }
  | { verified: false; code: string };

/** The reports of the Python verifier. `folder`: where to write the cases. */
export function reportByPython(cases: readonly Case[], folder: string): Report[] {
  const file = path.join(folder, 'cases');
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const printed = execFileSync(PYTHON, [TOOL, '--lines', file], { maxBuffer: 2 ** 26, encoding: 'utf8' });
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function reportByModel({ text, key, strict, keys }: Case): Report {
  const trusted = parseTrustedLog(key) as TrustedLog;
  const verifyWith = (one: TrustedLog) => verifyDocument(text, one, verify, { strict }).report;
  if (keys === undefined) return verifyWith(trusted);
  const history = verifyKeyHistory(keys, trusted, verify);
  return history.verified ? verifyByKeys(history.keys, verifyWith).report : history;
}

/** A report in short: `verified` with the warnings, or the code. */
export const toResult = (report: Report) =>
  report.verified ? ['verified', ...report.warnings].join(' ') : report.code;
