import {
  ANCHOR_FAULTS,
  type AnchorReport,
  BUNDLE_FAULTS,
  type BundleReport,
  type DocumentReport,
  KEY_FAULTS,
  RECEIPT_FAULTS,
  type ReceiptReport,
} from '@colophon/model';
import { describeSignedOnly } from './describe-signed-only.js';
import { type Explanation, formatExplanation } from './explanation.js';

/** Facts that the report does not contain. `notChecked` has only facts about keys. */
export interface DocumentFacts
  extends Pick<Explanation, 'name' | 'signedBy' | 'notChecked' | 'witnesses' | 'timestamp'> {
  onchain: AnchorReport | undefined;
}

export type Verified<Report> = Extract<Report, { verified: true }>;

/** The parts of an explanation that depend on the kind of the document. */
type Parts = Pick<Explanation, 'proven' | 'tree' | 'times' | 'untimed' | 'notChecked'>;

/** For a document that does not verify, returns only the fault. */
export function explainDocument(document: DocumentReport, facts: DocumentFacts): string {
  const { format, report } = document;
  if (!report.verified) {
    const ofFormat = format === 'bundle' ? BUNDLE_FAULTS : RECEIPT_FAULTS;
    const faults: Record<string, string> = { ...ofFormat, ...KEY_FAULTS };
    return `${faults[report.code]}\n`;
  }
  const parts = format === 'bundle' ? readBundle(report) : readReceipt(report, facts.onchain);
  const notChecked = [...parts.notChecked, ...facts.notChecked];
  const warnings = report.warnings.map((warning) => `warning      ${RECEIPT_FAULTS[warning]}\n`);
  return formatExplanation({ ...facts, ...parts, notChecked }) + warnings.join('');
}

function readReceipt(report: Verified<ReceiptReport>, onchain: AnchorReport | undefined): Parts {
  const { kind, digest, origin, leafIndex, size, anchor } = report;
  const place = anchor && `transaction ${anchor.txHash} of ${anchor.chainName} (chain ${anchor.chainId})`;
  return {
    proven: `this ${kind}, exactly as in the file (${digest}), is leaf ${leafIndex} of ${size} of the log ${origin}`,
    times: onchain?.verified ? [describeBlock(onchain, place)] : [],
    untimed:
      onchain === undefined || onchain.verified
        ? 'no proven time: only a checked anchor, time-stamp or witness proves a time'
        : `no proven time: ${ANCHOR_FAULTS[onchain.code]}`,
    notChecked: place !== null && onchain === undefined ? [`the anchor in ${place} (use --rpc)`] : [],
  };
}

function describeBlock(onchain: Verified<AnchorReport>, place: string | null): string {
  const { time, blockNumber, confirmations } = onchain;
  return `on the chain since ${time}, block ${blockNumber}, ${confirmations} confirmations, ${place}`;
}

function readBundle(report: Verified<BundleReport>): Parts {
  const { cid, origin, records, size, complete, coveredLeaves, unproven, signedOnly } = report;
  const isOfActions = unproven.includes('attributions');
  const whole = complete
    ? `No action${isOfActions ? '' : ' and no attribution'} is left out among the first ${coveredLeaves} leaves`
    : 'The bundle states that it was cut: other actions and attributions may belong to this history';
  return {
    proven: `the ${records} records of ${cid}, exactly as in the file, are in the log ${origin}. ${whole}`,
    tree: `a tree of ${size} leaves`,
    times: [],
    untimed: 'no proven time',
    notChecked: [
      ...(isOfActions ? ['whether attributions were left out'] : []),
      ...(signedOnly.length === 0 ? [] : [describeSignedOnly(signedOnly)]),
    ],
  };
}
