import { readFile } from 'node:fs/promises';
import {
  ANCHOR_FAULTS,
  type AnchorReport,
  parseTrustedLog,
  RECEIPT_FAULTS,
  type ReceiptReport,
  type TrustedLog,
  verifyAnchor,
  verifyReceipt,
} from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { print } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { checkBundle, isProvenBundle } from './verify-bundle.js';

/** What is believed of a receipt, and whom else is asked. */
export interface ReceiptTerms {
  trusted: TrustedLog;
  /** The chain is asked here; without it nobody is. */
  rpcUrl: string | undefined;
  json: boolean | undefined;
  /** How the receipt is called. */
  name: string;
}

/** What was found of a receipt; `onchain` when the chain was asked. */
type Verdict = ReceiptReport & { onchain?: AnchorReport };

/** `colophon verify <file> --key <key>`: tells whether a receipt or a proven bundle holds, from the file, the key and the chain. */
export async function verifyReceiptFile(
  file: string,
  { key, rpc: rpcUrl, json }: { key: string; rpc: string | undefined; json: boolean | undefined },
): Promise<void> {
  const trusted = parseTrustedLog(key);
  if (trusted === undefined) {
    throw new UsageError(
      '--key takes <origin>+<key id>+<base64>, as GET /v1/log gives it, or 64 hex digits.',
    );
  }
  const held = parseJson(await readFile(file, 'utf8'));
  if (isProvenBundle(held)) return checkBundle(held, { trusted, json, name: file });
  await checkReceipt(held, { trusted, rpcUrl, json, name: file });
}

/** Tells whether a receipt holds; throws NotVerifiedError when it does not, or its anchor does not. */
export async function checkReceipt(receipt: unknown, terms: ReceiptTerms): Promise<void> {
  const { trusted, rpcUrl, json, name } = terms;
  const report = verifyReceipt(receipt, trusted, createVerifySignature());
  const verdict: Verdict = { ...report, ...(await askChain(report, rpcUrl)) };
  print(verdict, { json, describe: () => describe(name, verdict) });
  if (!report.verified) throw new NotVerifiedError(`${name} does not hold: ${report.code}.`);
  if (rpcUrl === undefined) return;
  if (report.anchor === null) throw new NotVerifiedError(`${name} is not anchored yet.`);
  if (verdict.onchain?.verified === false)
    throw new NotVerifiedError(`The chain does not show the anchor: ${verdict.onchain.code}.`);
}

async function askChain(
  report: ReceiptReport,
  rpcUrl: string | undefined,
): Promise<{ onchain?: AnchorReport }> {
  if (rpcUrl === undefined || !report.verified || report.anchor === null) return {};
  if (!URL.canParse(rpcUrl)) throw new UsageError('--rpc takes an http or https address.');
  const { createAskChain } = await import('../anchors/ask-chain.js');
  return { onchain: await verifyAnchor(report.anchor, createAskChain(rpcUrl)) };
}

function describe(name: string, report: Verdict): string {
  if (!report.verified) return `${RECEIPT_FAULTS[report.code]}\n`;
  const { kind, digest, origin, leafIndex, size } = report;
  return (
    `${name} holds: this ${kind}, as it stands there, is in the log.\n` +
    `record  ${digest}\nlog     ${origin}\nleaf    ${leafIndex} of ${size}\n${describeAnchor(report)}`
  );
}

function describeAnchor({ anchor, onchain }: Extract<Verdict, { verified: true }>): string {
  if (anchor === null) return '';
  const place = `${anchor.chainName} (chain ${anchor.chainId}), transaction ${anchor.txHash}`;
  if (onchain === undefined) return `anchor  ${place}; the chain was not asked (--rpc)\n`;
  if (!onchain.verified) return `anchor  ${place}\n        ${ANCHOR_FAULTS[onchain.code]}\n`;
  return `anchor  ${place}\n        on the chain since ${onchain.time}, block ${onchain.blockNumber}, ${onchain.confirmations} confirmations\n`;
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
