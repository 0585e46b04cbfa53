import { canonicalJson } from '../canonical-json.js';

/** The data that an entity signs before an action, when it does not know the outputs. */
export interface ActionIntent {
  actionType: string;
  entityId: string;
  /** Content ids in any order, exactly as the signer writes them. */
  inputs: readonly string[];
  /** The time of signing, exactly as the signer writes it. */
  timestamp: string;
}

/** The data that an entity signs when it knows the outputs. The outputs can be in any order. */
export interface FullAction extends ActionIntent {
  outputs: readonly string[];
}

/** The data that the service signs. It states that this action, with this proof, had this output. */
export interface WitnessStatement {
  actionId: string;
  actionProofHash: string;
  entityId: string;
  outputCid: string;
}

/*
 * The texts below are those of the ProvenanceKit SDK 0.1.16 (`signing`): JSON in UTF-8 with sorted keys
 * and without white space. For these objects, the SDK and RFC 8785 canonical JSON give the same text. Content ids are
 * ASCII, so the sort order of JavaScript (UTF-16 code units) is their byte order.
 */

/**
 * Returns the text that an entity signs for an intent: ProvenanceKit SDK 0.1.16, `canonicalizeAction`. Throws
 * CanonicalJsonError for a lone surrogate.
 *
 * @example
 * const intent = { actionType: 'create', entityId: 'ann', inputs: ['b', 'B', 'a'], timestamp: '2026-08-02T09:30:00.000Z' };
 * actionIntentText(intent); // => '{"actionType":"create","entityId":"ann","inputs":["B","a","b"],"timestamp":"2026-08-02T09:30:00.000Z"}'
 */
export function actionIntentText({ actionType, entityId, inputs, timestamp }: ActionIntent): string {
  return canonicalJson({ actionType, entityId, inputs: inputs.toSorted(), timestamp });
}

/**
 * Returns the text that an entity signs for an action with its outputs: ProvenanceKit SDK 0.1.16,
 * `canonicalizeFullAction`. Throws CanonicalJsonError for a lone surrogate.
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
 * Returns the text that an entity signs to prove the possession of its key: ProvenanceKit SDK 0.1.16,
 * `signRegistration`. `publicKey` is hex, exactly as signed. The text contains no project, so the same signature can
 * register the same id in another project.
 *
 * @example
 * registrationText('studio:ann', 'd75a'); // => 'provenancekit:register:studio:ann:d75a'
 */
export function registrationText(entityId: string, publicKey: string): string {
  return `provenancekit:register:${entityId}:${publicKey}`;
}

/**
 * Returns the text of the service's countersignature: ProvenanceKit SDK 0.1.16, `createServerWitness`. The text
 * contains no time. Throws CanonicalJsonError for a lone surrogate.
 *
 * @example
 * const statement = { actionId: '7', actionProofHash: 'sha256:00', entityId: 'ann', outputCid: 'b' };
 * witnessText(statement); // => '{"actionId":"7","actionProofHash":"sha256:00","entityId":"ann","outputCid":"b"}'
 */
export function witnessText({ actionId, actionProofHash, entityId, outputCid }: WitnessStatement): string {
  return canonicalJson({ actionId, actionProofHash, entityId, outputCid });
}
