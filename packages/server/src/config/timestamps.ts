import { readPem } from './media.js';
import type { Variables } from './variables.js';

export interface TimestampingConfig {
  /** Address of the time-stamping authority (RFC 3161). */
  url: string;
  /** Certificates (PEM) at which the certificate chain of a token must end. Undefined: the chain is not checked. */
  trustAnchorsPem: string | undefined;
  /** Shortest time between two requests. */
  intervalMs: number;
}

/** `timestamping` is undefined without TSA_URL. */
export function readTimestamping({ TSA_URL, TSA_INTERVAL, TSA_TRUST_ANCHORS }: Variables): {
  timestamping: TimestampingConfig | undefined;
  problems: string[];
} {
  const { text, problem } = readPem(TSA_TRUST_ANCHORS, true);
  const problems = problem === undefined ? [] : [`TSA_TRUST_ANCHORS ${problem}`];
  if (TSA_TRUST_ANCHORS !== undefined && TSA_URL === undefined)
    problems.push('TSA_TRUST_ANCHORS needs TSA_URL');
  if (TSA_URL === undefined) return { timestamping: undefined, problems };
  const timestamping = {
    url: TSA_URL,
    trustAnchorsPem: text,
    intervalMs: TSA_INTERVAL * 1_000,
  };
  return { timestamping, problems };
}
