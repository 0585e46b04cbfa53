import { open, readFile } from 'node:fs/promises';
import {
  type AnchorReport,
  type BundleReport,
  type DocumentReport,
  type ReceiptReport,
  type VerifySignature,
  verifyAnchor,
  verifyByKeys,
  verifyDocument,
} from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { explainDocument, type Verified } from './explain-document.js';
import { openClient, requireClientConfig } from './open-client.js';
import { STDIN } from './open-file.js';
import { parseJson } from './parse-json.js';
import { print } from './print.js';
import { isStatement, OPENING_BYTES, type StandardFormat, standardFormatOf } from './standard-format.js';
import { describeKey, type KeySource, notCheckedOf, readKeysOfService } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';
import { assertQuorum, type CheckpointPolicy, verifyCosigners } from './verify-cosigners.js';
import { assertStamped, type Stamp, verifyStamp } from './verify-stamp.js';
import { checkStandardFormat } from './verify-standard-format.js';

/** Options of `colophon verify` for receipts and proven bundles. */
export interface DocumentOptions {
  /** If undefined, the anchor is not checked. */
  rpc?: string | undefined;
  strict?: boolean | undefined;
  /** Digest of the record for a tlog-proof, which does not contain its record. */
  digest?: string | undefined;
  'require-anchor'?: boolean | undefined;
  /** If undefined, the cosignatures of witnesses are not checked. */
  policy?: CheckpointPolicy | undefined;
  /** If undefined, no time-stamp is checked. */
  stamp?: Stamp | undefined;
  json?: boolean | undefined;
}

/** Without `--key`, a larger file counts as content, and not as a receipt or a bundle. */
const MAX_CLAIM_BYTES = 64 * 1024 * 1024;

/** Verifies the document without the service. */
export async function verifyDocumentFile(
  file: string,
  source: KeySource,
  options: DocumentOptions,
): Promise<void> {
  await checkDocument(await readFile(file), { name: file, ...options }, source);
}

/** Returns undefined for other files, for files above `MAX_CLAIM_BYTES` and for standard input. */
export async function readClaim(file: string): Promise<Buffer | undefined> {
  if (file === STDIN) return undefined;
  const handle = await open(file).catch(() => undefined); // the next reader of the file reports the reason
  try {
    const stats = await handle?.stat();
    if (handle === undefined || !stats?.isFile() || stats.size > MAX_CLAIM_BYTES) return undefined;
    const { buffer } = await handle.read(Buffer.alloc(OPENING_BYTES), 0, OPENING_BYTES, 0);
    const format = standardFormatOf(buffer);
    if (format === undefined && buffer.toString('latin1', 0, 1) !== '{') return undefined;
    const bytes = await handle.readFile();
    if (format !== undefined) return format === 'tlogProof' || isStatement(bytes) ? bytes : undefined;
    return isClaim(parseJson(bytes.toString('utf8'))) ? bytes : undefined;
  } finally {
    await handle?.close();
  }
}

function isClaim(value: unknown): boolean {
  const { version, record, log, proof, actions } = Object(value) as Record<string, unknown>;
  const isReceipt = version !== undefined && typeof record === 'object' && typeof log === 'object';
  return isReceipt || (typeof proof === 'object' && Array.isArray(actions));
}

/** Uses the keys that the service returns for the log. */
export async function verifyClaimByService(
  claim: Buffer,
  options: DocumentOptions & { name: string },
): Promise<void> {
  const config = requireClientConfig();
  if (config.apiKey === undefined)
    throw new UsageError(
      `${options.name} is a receipt or a bundle with its proof. Give --key with the key of its log, or set ` +
        'COLOPHON_API_KEY to trust the key from the service.',
    );
  const source = await readKeysOfService(openClient(config));
  process.stderr.write(
    'Checked with the key from the service. With a key of your own (--key) the check needs no trust in the service.\n',
  );
  await checkDocument(claim, options, source);
}

/** Throws NotVerifiedError when the document, its cosignatures, its time-stamp or its anchor does not verify. */
export async function checkDocument(
  document: Uint8Array,
  options: DocumentOptions & { name: string },
  source: KeySource,
): Promise<void> {
  const { rpc, strict, json, name, policy, stamp } = options;
  const verify = createVerifySignature();
  const standard = standardFormatOf(document);
  if (standard !== undefined) {
    assertOptionsOf(standard, options);
    return checkStandardFormat({ format: standard, bytes: document }, options, source);
  }
  const { format, report, signedBy } = verifyBySource(document, source, { verify, strict });
  const witnesses = policy && report.verified ? verifyCosigners(document, policy) : undefined;
  const onchain = format === 'receipt' ? await askChain(report, rpc) : undefined;
  const timestamp = stamp && (await verifyStamp(stamp, report, { keys: source.keys, verify }));
  const facts = { name, signedBy, onchain, witnesses, timestamp, notChecked: notCheckedOf(source) };
  const shown = {
    ...report,
    ...(onchain === undefined ? {} : { anchorChecked: true, onchain }),
    ...(witnesses === undefined ? {} : { witnesses }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  print(shown, { json, describe: () => explainDocument({ format, report } as DocumentReport, facts) });
  if (!report.verified) throw new NotVerifiedError(`${name} does not verify: ${report.code}.`);
  if (policy !== undefined && witnesses !== undefined) assertQuorum(name, policy, witnesses);
  if (timestamp !== undefined) assertStamped(name, timestamp);
  assertAnchored(report, { ...options, onchain });
}

function assertOptionsOf(format: StandardFormat, { rpc, policy, stamp, ...options }: DocumentOptions): void {
  if (format === 'statement' && policy !== undefined)
    throw new UsageError(
      '--witness and --policy need a checkpoint with cosignatures, and a statement in COSE has no checkpoint. Use the receipt in JSON or as tlog-proof.',
    );
  if (rpc !== undefined || options['require-anchor'] || stamp !== undefined)
    throw new UsageError(
      'Use --rpc, --require-anchor and --timestamp with a receipt in JSON. This format has no anchor.',
    );
}

async function askChain(report: ReceiptReport, rpc: string | undefined): Promise<AnchorReport | undefined> {
  if (rpc === undefined || !report.verified || report.anchor === null) return undefined;
  if (!URL.canParse(rpc)) throw new UsageError('--rpc takes an http or https address.');
  const { createChainReader } = await import('../anchors/chain-reader.js');
  return verifyAnchor(report.anchor, createChainReader(rpc));
}

function assertAnchored(
  report: Verified<ReceiptReport> | Verified<BundleReport>,
  { name, rpc, onchain, ...options }: DocumentOptions & { name: string; onchain: AnchorReport | undefined },
): void {
  const isRequired = options['require-anchor'] === true;
  if (!('anchor' in report)) {
    if (isRequired)
      throw new NotVerifiedError('A bundle has no anchor. Use --require-anchor with a receipt.');
    return;
  }
  if (rpc === undefined && !isRequired) return;
  if (report.anchor === null) throw new NotVerifiedError(`${name} is not anchored yet.`);
  if (onchain?.verified === false)
    throw new NotVerifiedError(`The chain does not show the anchor: ${onchain.code}.`);
}

/** `signedBy`: a description of the key. */
type SourcedReport = DocumentReport & { signedBy: string };

function verifyBySource(
  document: Uint8Array,
  source: KeySource,
  { verify, strict }: { verify: VerifySignature; strict: boolean | undefined },
): SourcedReport {
  const formats = new Set<DocumentReport['format']>();
  const { report, key } = verifyByKeys(source.keys, (trusted) => {
    const found = verifyDocument(document, trusted, verify, { strict });
    formats.add(found.format);
    return found.report;
  });
  const [format = 'receipt'] = formats;
  const signedBy = describeKey(source, key, report.verified ? report.origin : undefined);
  return { format, report, signedBy } as SourcedReport;
}
