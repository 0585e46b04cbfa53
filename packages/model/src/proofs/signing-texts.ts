import { canonicalJson } from '../canonical-json.js';

/** The data that an entity signs before an action, when the outputs are not known yet. */
export interface ActionIntent {
  actionType: string;
  entityId: string;
  /** Content ids in any order, exactly as the signer writes them. */
  inputs: readonly string[];
  /** The instant of signing, exactly as the signer writes it. */
  timestamp: string;
}

/** The data that an entity signs when it knows the outputs: the intent and the outputs, in any order. */
export interface FullAction extends ActionIntent {
  outputs: readonly string[];
}

/** The data that the service signs: this action, with this proof, had this output. */
export interface WitnessStatement {
  actionId: string;
  actionProofHash: string;
  entityId: string;
  outputCid: string;
}

/*
 * These are the texts of the published ProvenanceKit SDK 0.1.16 (`signing`): the UTF-8 of JSON with sorted keys and
 * without blanks. For objects of strings and arrays of strings that is RFC 8785 canonical JSON. Content ids are
 * sorted as JavaScript sorts strings: by UTF-16 code units, which for content ids, being ASCII, is byte order.
 */

/**
 * The text that proves an entity's intent: ProvenanceKit SDK 0.1.16, `canonicalizeAction`.
 * Throws CanonicalJsonError for a lone surrogate.
 *
 * @example
 * const intent = { actionType: 'create', entityId: 'ann', inputs: ['b', 'B', 'a'], timestamp: '2026-08-02T09:30:00.000Z' };
 * actionIntentText(intent); // => '{"actionType":"create","entityId":"ann","inputs":["B","a","b"],"timestamp":"2026-08-02T09:30:00.000Z"}'
 */
export function actionIntentText({ actionType, entityId, inputs, timestamp }: ActionIntent): string {
  return canonicalJson({ actionType, entityId, inputs: inputs.toSorted(), timestamp });
}

/**
 * The text that proves an action with its outputs: ProvenanceKit SDK 0.1.16, `canonicalizeFullAction`.
 * Throws CanonicalJsonError for a lone surrogate.
 *
 * @example
 * const action = { actionType: 'create', entityId: 'ann', inputs: [], outputs: ['b', 'a'], timestamp: '2026-08-02T09:30:00.000Z' };
 * fullActionText(action); // => '{"actionType":"create","entityId":"ann","inputs":[],"outputs":["a","b"],"timestamp":"2026-08-02T09:30:00.000Z"}'
 */
export function fullActionText({ actionType, entityId, inputs, outputs, timestamp }: FullAction): string {
  return canonicalJson({
    actionType,
    entityId,
    inputs: inputs.toSorted(),
    outputs: outputs.toSorted(),
    timestamp,
  });
}

/**
 * The text that an entity signs to prove the possession of its key: ProvenanceKit SDK 0.1.16, `signRegistration`.
 * `publicKey` is hex, as signed. The text names no project, so the same signature registers the same id elsewhere.
 *
 * @example
 * registrationText('studio:ann', 'd75a'); // => 'provenancekit:register:studio:ann:d75a'
 */
export function registrationText(entityId: string, publicKey: string): string {
  return `provenancekit:register:${entityId}:${publicKey}`;
}

/**
 * The text of the service's countersignature: ProvenanceKit SDK 0.1.16, `createServerWitness`. It contains no time.
 * Throws CanonicalJsonError for a lone surrogate.
 *
 * @example
 * const statement = { actionId: '7', actionProofHash: 'sha256:00', entityId: 'ann', outputCid: 'b' };
 * witnessText(statement); // => '{"actionId":"7","actionProofHash":"sha256:00","entityId":"ann","outputCid":"b"}'
 */
export function witnessText({ actionId, actionProofHash, entityId, outputCid }: WitnessStatement): string {
  return canonicalJson({ actionId, actionProofHash, entityId, outputCid });
}
