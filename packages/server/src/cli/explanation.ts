import type { PolicyReport, QuorumReport, TimestampReport } from '@colophon/model';
import { withoutBreaks } from './print.js';
import { describeCosigners, toTime } from './verify-cosigners.js';
import { describeStamp } from './verify-stamp.js';

/** Only cosignatures of witnesses can show this. */
const SPLIT_VIEW = 'whether the log shows everybody the same tree (compare checkpoints)';
/** Witnesses that work together with the operator can cosign two trees. */
const INDEPENDENCE = 'whether the witnesses are independent of the log';
/** The command verifies a token offline, so it cannot find out whether the certificate was revoked. */
const REVOCATION = "whether the authority's certificate was revoked";

/** The explanation of a document that verifies. */
export interface Explanation {
  name: string;
  proven: string;
  signedBy: string;
  /** The tree, if the proven facts do not state its size. */
  tree?: string | undefined;
  /** Proven times, each with its source. */
  times: readonly string[];
  /** Shown if no time is proven. */
  untimed: string;
  notChecked: readonly string[];
  witnesses?: QuorumReport | PolicyReport | undefined;
  timestamp?: TimestampReport | undefined;
}

export function formatExplanation({ witnesses, timestamp, ...facts }: Explanation): string {
  const isStamped = timestamp?.verified === true;
  const times = [
    ...facts.times,
    ...(isStamped ? [describeStamp(timestamp)] : []),
    ...(witnesses?.verified ? describeClocks(witnesses) : []),
  ];
  const asOf = [facts.tree, ...(times.length === 0 ? [facts.untimed] : times)].filter(
    (part) => part !== undefined,
  );
  const isShared = witnesses?.verified === true && witnesses.cosigned.length > 0;
  const notChecked = [
    ...facts.notChecked,
    ...(isStamped ? [REVOCATION] : []),
    isShared ? INDEPENDENCE : SPLIT_VIEW,
  ];
  const lines = [
    `${facts.name} verifies.`,
    `proven       ${facts.proven}`,
    `signed by    ${facts.signedBy}`,
    `as of        ${asOf.join('; ')}`,
    `not checked  ${notChecked.join('; ')}`,
    ...(witnesses === undefined ? [] : describeCosigners(witnesses)),
    ...(timestamp === undefined || isStamped ? [] : [`time-stamp   ${describeStamp(timestamp)}`]),
  ];
  return lines.map((line) => `${withoutBreaks(line)}\n`).join('');
}

/** If at least one witness is honest and has the right time, the tree already existed at the newest time. */
function describeClocks({ cosigned }: QuorumReport | PolicyReport): string[] {
  // With ML-DSA-44, 0 means that the witness states no time.
  const times = cosigned.map(({ timeSeconds }) => timeSeconds).filter((time) => time > 0);
  if (times.length === 0) return [];
  const newest = Math.max(...times);
  const many = times.length === 1 ? 'the witness' : `${times.length} witnesses`;
  return [`${toTime(newest)} by the clock of ${many}`];
}
