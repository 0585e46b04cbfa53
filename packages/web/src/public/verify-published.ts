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

/** What became of the check of a published history. */
export type Verdict = { records: number; isWhole: boolean } | { refused: string };

/** Fetches what proves a history and checks it here; `verifyBundle` says what that shows. */
export async function verifyPublished(history: PublishedHistory): Promise<Verdict> {
  const trusted = parseTrustedLog(history.log?.verifierKey ?? '');
  if (trusted === undefined) return { refused: BUNDLE_FAULTS.untrustedKey };
  const bundle = await openClient().published.proof(history.id);
  const report = verifyBundle(bundle, trusted, verifyEd25519);
  if (!report.verified) return { refused: BUNDLE_FAULTS[report.code] };
  if (findUnproven(history, bundle) !== undefined) return { refused: published.otherShown };
  return { records: report.records, isWhole: report.complete };
}
