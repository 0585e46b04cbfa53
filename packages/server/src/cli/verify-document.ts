import { open, readFile } from 'node:fs/promises';
import {
  ANCHOR_FAULTS,
  type AnchorReport,
  BUNDLE_FAULTS,
  type BundleReport,
  type DocumentReport,
  KEY_FAULTS,
  type PolicyReport,
  type QuorumReport,
  RECEIPT_FAULTS,
  type ReceiptReport,
  type TimestampReport,
  type VerifySignature,
  verifyAnchor,
  verifyByKeys,
  verifyDocument,
} from '@colophon/model';
import { createVerifySignature } from '../access/ed25519.js';
import { describeSignedOnly } from './describe-signed-only.js';
import { openClient, requireClientConfig } from './open-client.js';
import { STDIN } from './open-file.js';
import { parseJson } from './parse-json.js';
import { print } from './print.js';
import { isStatement, OPENING_BYTES, type StandardFormat, standardFormatOf } from './standard-format.js';
import { describeKey, type KeySource, readKeysOfService } from './trusted-keys.js';
import { NotVerifiedError, UsageError } from './usage.js';
import {
  assertQuorum,
  type CheckpointPolicy,
  describeCosigners,
  verifyCosigners,
} from './verify-cosigners.js';
import { assertStamped, describeStamp, type Stamp, verifyStamp } from './verify-stamp.js';
import { checkStandardFormat, SPLIT_VIEW } from './verify-standard-format.js';

/** Options of `colophon verify` for receipts and proven bundles. */
export interface DocumentOptions {
  /** URL of a node of the chain. If undefined, the anchor is not checked. */
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

/** Larger files count as content, not as a receipt or a bundle, unless `--key` is set. */
const MAX_CLAIM_BYTES = 64 * 1024 * 1024;

/** Verifies the receipt or the proven bundle in a file with these keys, without the service. */
export async function verifyDocumentFile(
  file: string,
  source: KeySource,
  options: DocumentOptions,
): Promise<void> {
  await checkDocument(await readFile(file), { name: file, ...options }, source);
}

/** Reads the bytes of a receipt in any format, or of a proven bundle; undefined for any other file. */
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

/** Verifies a receipt or a bundle with the keys that the service returns for its log. */
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

/** Prints the report. Throws NotVerifiedError when the document or its anchor does not verify. */
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
  const witnesses = policy && report.verified ? verifyCosigners(document, policy, verify) : undefined;
  const onchain = format === 'receipt' ? await askChain(report, rpc) : undefined;
  const timestamp = stamp && (await verifyStamp(stamp, report, { keys: source.keys, verify }));
  const shown = {
    ...report,
    ...(onchain === undefined ? {} : { anchorChecked: true, onchain }),
    ...(witnesses === undefined ? {} : { witnesses }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
  print(shown, {
    json,
    describe: () =>
      describe({ format, report } as DocumentReport, { name, signedBy, onchain, witnesses, timestamp }),
  });
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

type Verified<Report> = Extract<Report, { verified: true }>;

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

/** A report, with a description of the key that the document was checked with. */
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
  if (!report.verified && report.code === 'retiredKey')
    throw new NotVerifiedError(`retiredKey. ${KEY_FAULTS.retiredKey}`);
  const [format = 'receipt'] = formats;
  const signedBy = describeKey(source, key, report.verified ? report.origin : undefined);
  return { format, report, signedBy } as SourcedReport;
}

interface Facts {
  name: string;
  signedBy: string;
  onchain: AnchorReport | undefined;
  witnesses: QuorumReport | PolicyReport | undefined;
  timestamp: TimestampReport | undefined;
}

function describe(document: DocumentReport, facts: Facts): string {
  const { format, report } = document;
  if (!report.verified) {
    const faults: Record<string, string> = format === 'bundle' ? BUNDLE_FAULTS : RECEIPT_FAULTS;
    return `${faults[report.code]}\n`;
  }
  const lines = format === 'bundle' ? describeBundle(report) : describeReceipt(report, facts.onchain);
  const isShared = facts.witnesses?.verified === true;
  const open = lines.notChecked.filter((part) => !isShared || part !== SPLIT_VIEW);
  const warnings = report.warnings.map((warning) => `warning      ${RECEIPT_FAULTS[warning]}\n`);
  return (
    `${facts.name} verifies.\n` +
    `proven       ${lines.proven}\nsigned by    ${facts.signedBy}\nas of        ${lines.asOf}\n` +
    `not checked  ${open.join('; ') || '-'}\n${warnings.join('')}` +
    (facts.witnesses === undefined ? '' : describeCosigners(facts.witnesses)) +
    (facts.timestamp === undefined ? '' : describeStamp(facts.timestamp))
  );
}

interface Explanation {
  proven: string;
  asOf: string;
  notChecked: string[];
}

function describeReceipt(report: Verified<ReceiptReport>, onchain: AnchorReport | undefined): Explanation {
  const { kind, digest, origin, leafIndex, size, anchor } = report;
  const place = anchor && `transaction ${anchor.txHash} of ${anchor.chainName} (chain ${anchor.chainId})`;
  return {
    proven: `this ${kind}, exactly as in the file (${digest}), is leaf ${leafIndex} of ${size} of the log ${origin}`,
    asOf: describeTime(onchain, place),
    notChecked: [
      ...(place !== null && onchain === undefined ? [`the anchor in ${place} (use --rpc)`] : []),
      SPLIT_VIEW,
    ],
  };
}

function describeTime(onchain: AnchorReport | undefined, place: string | null): string {
  if (onchain === undefined) return 'no proven time: only an anchor that was checked proves one';
  if (!onchain.verified) return `no proven time: ${ANCHOR_FAULTS[onchain.code]}`;
  const { time, blockNumber, confirmations } = onchain;
  return `on the chain since ${time}, block ${blockNumber}, ${confirmations} confirmations, ${place}`;
}

function describeBundle(report: Verified<BundleReport>): Explanation {
  const { cid, origin, records, size, complete, coveredLeaves, unproven, signedOnly } = report;
  const isOfActions = unproven.includes('attributions');
  const whole = complete
    ? `No action${isOfActions ? '' : ' and no attribution'} is left out among the first ${coveredLeaves} leaves`
    : 'The bundle states that it was cut: other actions and attributions may belong to this history';
  return {
    proven: `the ${records} records of ${cid}, exactly as in the file, are in the log ${origin}. ${whole}`,
    asOf: `a tree of ${size} leaves; no proven time`,
    notChecked: [
      ...(isOfActions ? ['whether attributions were left out'] : []),
      ...(signedOnly.length === 0 ? [] : [describeSignedOnly(signedOnly)]),
      SPLIT_VIEW,
    ],
  };
}
