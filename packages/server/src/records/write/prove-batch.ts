import { actionCheck, registrationCheck } from '../../access/check-proof.js';
import type { SignatureCheck, SignatureVerdict } from '../../access/signatures/protocol.js';
import { ServiceError } from '../../errors.js';
import { mapYielding } from '../../platform/work/map-yielding.js';
import type { Proofs, RecordDeps, WarningSubject } from '../deps.js';
import type { AssertedExtensions } from '../draft/draft-records.js';
import { readKnownActions, readPublicKeys, readUnknownContents } from '../read/records.sql.js';
import { assertAction, assertRegistration, type ProvenDraft, type Registration, toClaim } from './prove.js';

/** The entities and actions to prove, in the order of the batch. */
export interface ClaimedBatch {
  registrations: readonly Registration[];
  actions: readonly Omit<ProvenDraft, 'givenKey'>[];
}

/** `place`: the list and index of the record, for example `actions.3`. */
export interface BatchFault {
  place: string;
  error: ServiceError;
}

/** `isCut`: the check stopped after the maximum number of wrong signatures. */
export interface ProvenBatch {
  identities: AssertedExtensions[];
  asserted: AssertedExtensions[];
  faults: BatchFault[];
  isCut: boolean;
}

/**
 * One rule is stricter than for single recordings: a proof must be signed for the exact timestamp in the request.
 * Actions that are already recorded are not checked, so a repeated batch succeeds even if a performer's key has
 * changed.
 */
export async function proveBatch(
  deps: RecordDeps,
  projectId: string,
  { registrations, actions }: ClaimedBatch,
): Promise<ProvenBatch> {
  const { proofs } = deps;
  if (proofs.policy === 'off') {
    const identities = registrations.map(() => ({}));
    return { identities, asserted: actions.map(() => ({})), faults: [], isCut: false };
  }
  const claimed = await readClaims(deps, projectId, { registrations, actions });
  const { policy } = proofs;
  const needed = [
    ...claimed.registrations.map((one) => one && registrationCheck({ policy, ...one })),
    ...claimed.actions.map((claim) => claim && actionCheck(claim, 0)),
  ];
  const verdicts = await checkAll(proofs, projectId, needed);
  const faults: BatchFault[] = [];
  const attempt = (place: string, assert: () => AssertedExtensions): AssertedExtensions => {
    try {
      return assert();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ place, error });
      return {};
    }
  };
  const identities = await mapYielding(claimed.registrations, (one, index) =>
    one === undefined
      ? {}
      : attempt(`entities.${index}`, () => assertRegistration(proofs, one, verdicts[index])),
  );
  const asserted = await mapYielding(actions, (draft, index) => {
    const claim = claimed.actions[index];
    if (claim === undefined) return {};
    const verdict = verdicts[registrations.length + index];
    return attempt(`actions.${index}`, () => assertAction(proofs, draft, { claim, verdict }));
  });
  if (policy === 'warn') await warnOfUnknownInputs(deps, projectId, actions);
  const isCut = verdicts.includes('unchecked');
  if (isCut) warnOfUnchecked(proofs, actions[verdicts.indexOf('unchecked') - registrations.length]);
  return { identities, asserted, faults, isCut };
}

/** Reads the claims to verify. A stored entity or a recorded action has the claim undefined. */
async function readClaims(
  { provenance, proofs }: RecordDeps,
  projectId: string,
  { registrations, actions }: ClaimedBatch,
) {
  const named = [
    ...registrations.map(({ entityId }) => entityId),
    ...actions.map(({ action }) => action.performedBy),
  ];
  const keys = await readPublicKeys(provenance, projectId, [...new Set(named)]);
  const repeated = await readKnownActions(
    provenance,
    projectId,
    actions.map(({ id }) => id),
  );
  const newKeys = registrations.map((one) =>
    one.publicKey !== undefined && !keys.has(one.entityId) ? one : undefined,
  );
  for (const one of newKeys) if (one !== undefined) keys.set(one.entityId, one.publicKey);
  const claims = actions.map((draft) =>
    repeated.has(draft.id) ? undefined : toClaim(proofs, draft, keys.get(draft.action.performedBy)),
  );
  return { registrations: newKeys, actions: claims };
}

/** Each verdict has the index of its check. */
async function checkAll(
  { checker, maxFaults }: Proofs,
  projectId: string,
  needed: readonly (SignatureCheck | undefined)[],
): Promise<(SignatureVerdict | undefined)[]> {
  const checks = needed.filter((check) => check !== undefined);
  const verdicts = (await checker.check(projectId, checks, maxFaults)).values();
  return needed.map((check) => (check === undefined ? undefined : verdicts.next().value));
}

function warnOfUnchecked(
  { warn, maxFaults }: Proofs,
  first: ClaimedBatch['actions'][number] | undefined,
): void {
  if (first === undefined) return;
  const message = `The check stopped after ${maxFaults} wrong signatures (MAX_PROOF_FAULTS). The other signatures of the batch are not checked.`;
  warn(message, { entityId: first.action.performedBy, actionId: first.id });
}

/** Gives one warning about all unknown inputs. Outputs of earlier actions in the batch count as known. */
async function warnOfUnknownInputs(
  { provenance, proofs }: RecordDeps,
  projectId: string,
  actions: ClaimedBatch['actions'],
): Promise<void> {
  const inputs = new Set<string>();
  await mapYielding(actions, ({ action }) => {
    for (const cid of action.inputCids) inputs.add(cid);
  });
  const unknown = await readUnknownContents(provenance, projectId, [...inputs]);
  let count = 0;
  let first: { cid: string; facts: WarningSubject } | undefined;
  if (unknown.size === 0) return;
  await mapYielding(actions, ({ id, action }) => {
    for (const cid of new Set(action.inputCids)) {
      if (!unknown.has(cid)) continue;
      count++;
      first ??= { cid, facts: { entityId: action.performedBy, actionId: id } };
    }
    for (const cid of [...action.inputCids, ...action.outputCids]) unknown.delete(cid);
  });
  if (first === undefined) return;
  const others = count === 1 ? '' : ` The same is true of ${count - 1} more inputs of this batch.`;
  proofs.warn(`This project has no record of the input ${first.cid}.${others}`, first.facts);
}
