import {
  BUNDLE_FAULTS,
  findUnproven,
  type PublishedHistory,
  parseTrustedLog,
  verifyBundle,
  verifyEd25519,
} from '@colophon/model';
import { openClient } from '../shell/project.js';
import { published } from '../strings/public.js';

export type Verdict = { records: number; isWhole: boolean } | { refused: string };

/** Verifies the proof in the browser, and compares the shown history with it. See `verifyBundle` for the guarantee. */
export async function verifyPublished(history: PublishedHistory, signal: AbortSignal): Promise<Verdict> {
  const trusted = parseTrustedLog(history.log?.verifierKey ?? '');
  if (trusted === undefined) return { refused: BUNDLE_FAULTS.untrustedKey };
  const bundle = await openClient().published.proof(history.id, { signal });
  const report = verifyBundle(bundle, trusted, verifyEd25519);
  if (!report.verified) return { refused: BUNDLE_FAULTS[report.code] };
  if (findUnproven(history, bundle) !== undefined) return { refused: published.otherShown };
  return { records: report.records, isWhole: report.complete };
}
