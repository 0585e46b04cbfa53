import { open, readFile } from 'node:fs/promises';
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
import { openClient, requireClientConfig } from './open-client.js';
import { STDIN } from './open-file.js';
import { parseJson } from './parse-json.js';
import { print } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { checkBundle, isProvenBundle } from './verify-bundle.js';

/** The trusted keys for a receipt, and the node to query. */
export interface ReceiptOptions {
  trusted: TrustedLog;
  /** The node of the chain; undefined: no query. */
  rpcUrl: string | undefined;
  json: boolean | undefined;
  name: string;
}

/** Larger files count as content, not as a receipt or a bundle, unless `--key` is set. */
const MAX_CLAIM_BYTES = 64 * 1024 * 1024;

/** The report on a receipt, with `onchain` when the chain was queried. */
type ReceiptVerdict = ReceiptReport & { onchain?: AnchorReport };

/**
 * `colophon verify <file> --key <key>`: verifies a receipt or a proven bundle with the file, the key and the chain.
 */
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

/** Reads the receipt or the proven bundle in a file; undefined for any other file. */
export async function readClaim(file: string): Promise<unknown> {
  if (file === STDIN) return undefined;
  const handle = await open(file).catch(() => undefined); // whoever reads it next says what is wrong with it
  try {
    const stats = await handle?.stat();
    if (handle === undefined || !stats?.isFile() || stats.size > MAX_CLAIM_BYTES) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, 0);
    if (bytesRead === 0 || buffer.toString('latin1') !== '{') return undefined;
    const held = parseJson(await handle.readFile('utf8'));
    return isReceipt(held) || isProvenBundle(held) ? held : undefined;
  } finally {
    await handle?.close();
  }
}

function isReceipt(value: unknown): boolean {
  const { version, record, log } = Object(value) as Record<string, unknown>;
  return version !== undefined && typeof record === 'object' && typeof log === 'object';
}

/** Verifies a receipt or a bundle with the key that the service returns for its log. */
export async function verifyClaimByService(
  claim: unknown,
  options: { name: string; rpcUrl: string | undefined; json: boolean | undefined },
): Promise<void> {
  const config = requireClientConfig();
  if (config.apiKey === undefined)
    throw new UsageError(
      `${options.name} is a receipt or a bundle with its proof. Give --key with the key of its log, or set ` +
        'COLOPHON_API_KEY to trust the key from the service.',
    );
  const trusted = parseTrustedLog((await openClient(config).log.get()).verifierKey);
  if (trusted === undefined) throw new Error('The service returned a log key that cannot be read.');
  process.stderr.write(
    'Checked with the key from the service. With a key of your own (--key) the check needs no trust in the service.\n',
  );
  if (isProvenBundle(claim)) return checkBundle(claim, { trusted, json: options.json, name: options.name });
  await checkReceipt(claim, { trusted, ...options });
}

/** Verifies a receipt. Throws NotVerifiedError when the receipt or its anchor does not verify. */
export async function checkReceipt(receipt: unknown, options: ReceiptOptions): Promise<void> {
  const { trusted, rpcUrl, json, name } = options;
  const report = verifyReceipt(receipt, trusted, createVerifySignature());
  const verdict: ReceiptVerdict = { ...report, ...(await askChain(report, rpcUrl)) };
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
  const { createChainReader } = await import('../anchors/chain-reader.js');
  return { onchain: await verifyAnchor(report.anchor, createChainReader(rpcUrl)) };
}

function describe(name: string, report: ReceiptVerdict): string {
  if (!report.verified) return `${RECEIPT_FAULTS[report.code]}\n`;
  const { kind, digest, origin, leafIndex, size } = report;
  return (
    `${name} holds: this ${kind}, as it stands there, is in the log.\n` +
    `record  ${digest}\nlog     ${origin}\nleaf    ${leafIndex} of ${size}\n${describeAnchor(report)}`
  );
}

function describeAnchor({ anchor, onchain }: Extract<ReceiptVerdict, { verified: true }>): string {
  if (anchor === null) return '';
  const place = `${anchor.chainName} (chain ${anchor.chainId}), transaction ${anchor.txHash}`;
  if (onchain === undefined) return `anchor  ${place}; the chain was not checked (use --rpc)\n`;
  if (!onchain.verified) return `anchor  ${place}\n        ${ANCHOR_FAULTS[onchain.code]}\n`;
  return `anchor  ${place}\n        on the chain since ${onchain.time}, block ${onchain.blockNumber}, ${onchain.confirmations} confirmations\n`;
}
