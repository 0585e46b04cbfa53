import { ServiceError } from '../errors.js';
import { signTree } from '../transparency-log/checkpoint.js';
import {
  insertCosignatures,
  listUncosignedLogs,
  type UncosignedLog,
} from '../transparency-log/cosignatures.sql.js';
import type { TransparencyLogDeps } from '../transparency-log/deps.js';
import { SIGNING_CALLERS } from '../transparency-log/log-signer.js';
import { IncompleteLogError } from '../transparency-log/read-hashes.js';
import { openTree } from '../transparency-log/tree-reader.js';
import type { Backoff } from './backoff.js';
import {
  type CosignatureAnswer,
  type RemoteWitness,
  type RequestDeps,
  requestCosignature,
  WitnessAwayError,
  WitnessRefusedError,
} from './request-cosignature.js';

export interface WitnessingDeps extends RequestDeps {
  logs: TransparencyLogDeps;
  witnesses: readonly RemoteWitness[];
  backoff: Backoff;
  report: (error: Error, about: { projectId: string }) => void;
}

/** A witness that refuses many logs must not delay the others. */
const MAX_LOGS = 1_000;
const LOGS_AT_ONCE = 8;

export async function cosignDueLogs(deps: WitnessingDeps): Promise<void> {
  const reachable = deps.witnesses.filter(({ id }) => !deps.backoff.isPaused(id));
  if (reachable.length === 0) return;
  const keys = reachable.map(({ id }) => id);
  // Omits paused pairs of a log and a witness. If the query returned them, they would use up MAX_LOGS.
  const paused = deps.backoff
    .listPaused()
    .map(parsePlace)
    .filter((place) => place !== undefined);
  const due = await listUncosignedLogs(deps.logs.provenance, { keys, paused }, MAX_LOGS);
  const work = async () => {
    for (let log = due.pop(); log !== undefined && !deps.stopping.aborted; log = due.pop())
      await cosignLog(deps, log).catch(pauseLog(deps, log));
  };
  const works = await Promise.allSettled(Array.from({ length: LOGS_AT_ONCE }, work));
  const failed = works.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Pauses a log that cannot be signed or read. The round continues with the other logs. */
function pauseLog({ backoff, report }: WitnessingDeps, { projectId, witnesses }: UncosignedLog) {
  return (error: unknown) => {
    if (!(error instanceof ServiceError || error instanceof IncompleteLogError)) throw error;
    for (const { key } of witnesses) backoff.noteFailure(toPlace(key, projectId));
    report(error, { projectId });
  };
}

/** The name in `Backoff` for requests to a witness for one log. Ids of witnesses contain no blanks. */
const toPlace = (witnessId: string, projectId: string) => `${witnessId} ${projectId}`;

/** Returns undefined for the name of a witness. */
function parsePlace(place: string): { key: string; projectId: string } | undefined {
  const [key, projectId] = place.split(' ');
  return key === undefined || projectId === undefined ? undefined : { key, projectId };
}

async function cosignLog(deps: WitnessingDeps, log: UncosignedLog): Promise<void> {
  const { provenance } = deps.logs;
  const { projectId, origin, size, presentSize } = log;
  const tree = await openTree(provenance, projectId, size);
  const request = {
    note: await signTree(deps.logs, origin, { ...tree, caller: SIGNING_CALLERS.witnesses }),
    ...{ size, presentSize },
    proveConsistency: (from: number) => tree.proveConsistency(from),
  };
  const asked = log.witnesses.map(async ({ key, size: oldSize }) => {
    const witness = deps.witnesses.find(({ id }) => id === key);
    if (witness === undefined) return [];
    const answer = await tryCosign(deps, { witness, projectId }, () =>
      requestCosignature(deps, witness, { ...request, oldSize }),
    );
    return answer === undefined ? [] : [{ witness: key, ...answer }];
  });
  // One statement stores all lines, so that a receipt never shows only some of them.
  const answers = (await Promise.all(asked)).flat();
  const lines = answers.filter((answer) => 'line' in answer);
  if (lines.length > 0) await insertCosignatures(provenance, projectId, { size, lines });
  // A witness with several keys remembers one newest tree for all of its keys. The witnesses in `ahead` have already
  // cosigned a larger tree with another key.
  const ahead = answers.flatMap((answer) =>
    'line' in answer ? [] : [{ key: answer.witness, size: answer.cosignedSize }],
  );
  if (ahead.length > 0) await cosignLog(deps, { ...log, size: presentSize, witnesses: ahead });
}

/** Returns undefined when the witness is paused, is not available or refuses. */
async function tryCosign(
  { backoff, report, stopping }: WitnessingDeps,
  { witness: { id }, projectId }: { witness: RemoteWitness; projectId: string },
  request: () => Promise<CosignatureAnswer>,
): Promise<CosignatureAnswer | undefined> {
  const place = toPlace(id, projectId);
  if (backoff.isPaused(id) || backoff.isPaused(place)) return undefined;
  try {
    const answer = await request();
    backoff.noteSuccess(id);
    backoff.noteSuccess(place);
    return answer;
  } catch (error) {
    if (stopping.aborted) return undefined;
    if (!(error instanceof WitnessAwayError || error instanceof WitnessRefusedError)) throw error;
    backoff.noteFailure(error instanceof WitnessAwayError ? id : place);
    report(error, { projectId });
    return undefined;
  }
}
