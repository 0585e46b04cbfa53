import { ServiceError } from '../errors.js';
import type { AssertedExtensions } from './draft-records.js';
import { inSlices } from './in-slices.js';
import type { RecordNeeds } from './needs.js';
import { type ProvenDraft, proveByKey, proveRegistration, type Registration } from './prove.js';
import { readKnownActions, readPublicKeys, readUnknownContents } from './records.sql.js';

/** What a batch says of keys: registrations of its entities and proofs of its actions, in their order. */
export interface ClaimedBatch {
  registrations: readonly Registration[];
  actions: readonly Omit<ProvenDraft, 'givenKey'>[];
}

/** Why a record of a batch is refused. `place` is its list and index, as `actions.3`. */
export interface BatchFault {
  place: string;
  error: ServiceError;
}

/** What the service asserts of each entity and action, or why they are refused. */
export interface ProvenBatch {
  identities: AssertedExtensions[];
  asserted: AssertedExtensions[];
  faults: BatchFault[];
}

/**
 * Checks the registrations and proofs of a batch by the policy, as those of single recordings are. An action that was
 * recorded before is a repetition, whatever became of its performer's keys meanwhile.
 */
export async function proveBatch(
  needs: RecordNeeds,
  projectId: string,
  { registrations, actions }: ClaimedBatch,
): Promise<ProvenBatch> {
  const faults: BatchFault[] = [];
  if (needs.proofs.policy === 'off')
    return { identities: registrations.map(() => ({})), asserted: actions.map(() => ({})), faults };
  const { provenance, proofs } = needs;
  const attempt = (place: string, prove: () => AssertedExtensions): AssertedExtensions => {
    try {
      return prove();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ place, error });
      return {};
    }
  };
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
  const isNewKey = ({ entityId, publicKey }: Registration) => publicKey !== undefined && !keys.has(entityId);
  const identities = await inSlices(registrations, (registration, index) =>
    isNewKey(registration) ? attempt(`entities.${index}`, () => proveRegistration(needs, registration)) : {},
  );
  for (const one of registrations) if (isNewKey(one)) keys.set(one.entityId, one.publicKey);
  const asserted = await inSlices(actions, (draft, index) =>
    repeated.has(draft.id)
      ? {}
      : attempt(`actions.${index}`, () => proveByKey(proofs, draft, keys.get(draft.action.performedBy))),
  );
  if (proofs.policy === 'warn') await warnOfUnknownInputs(needs, projectId, actions);
  return { identities, asserted, faults };
}

/** Tells of inputs of which nothing is known; the outputs of earlier actions are known. */
async function warnOfUnknownInputs(
  { provenance, proofs }: RecordNeeds,
  projectId: string,
  actions: ClaimedBatch['actions'],
): Promise<void> {
  const inputs = new Set(actions.flatMap(({ action }) => action.inputCids));
  const unknown = await readUnknownContents(provenance, projectId, [...inputs]);
  for (const { id, action } of actions) {
    for (const cid of action.inputCids) {
      const facts = { entityId: action.performedBy, actionId: id };
      if (unknown.has(cid)) proofs.warn(`Nothing is known of the input ${cid}.`, facts);
    }
    for (const cid of [...action.inputCids, ...action.outputCids]) unknown.delete(cid);
  }
}
