import {
  digestRecord,
  type Entity,
  type EntityPatch,
  entitySchema,
  IDENTITY_EXTENSION,
  isJsonObject,
  isSameWallet,
  type JsonObject,
  VERIFICATION_EXTENSION,
} from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import { type AssertedExtensions, type EntityDraft, NODE_CRYPTO } from '../draft/draft-records.js';
import { absent } from '../read/absent.js';
import { readStoredEntity } from '../read/records.sql.js';
import { entityConflict, requireWritten } from './outcome.js';
import { proveRegistration } from './prove.js';

/** Maximum number of attempts when other requests change the entity at the same time. */
const MAX_TRIES = 10;
/** Fields that never change after they are set. */
const FROZEN = ['wallet', 'publicKey'] as const;

/** Null in `patch` removes a field. Throws `Conflict` for another wallet or key, and when `mustAgree` differs. */
export async function updateEntity(
  { provenance, recorder, proofs }: RecordDeps,
  projectId: string,
  { id, patch, mustAgree }: { id: string; patch: EntityPatch; mustAgree?: EntityDraft },
): Promise<Entity> {
  for (let tries = 1; ; tries++) {
    const stored = await readStoredEntity(provenance, projectId, id);
    if (stored === undefined) throw absent('entity', id);
    const { registrationSignature: _, ...changes } = patch;
    const changed = applyPatch(stored.body, id, changes);
    const asserted = await proveKey({ proofs }, stored.body, { projectId, id, patch });
    const body = { ...changed, ...extensionsOf(stored.body, asserted) };
    const { digest, salts } = digestRecord('entity', body, NODE_CRYPTO);
    const entityUpdate = {
      id,
      body,
      digest: digest.slice('sha256:'.length),
      salts,
      previousDigest: stored.digest,
    };
    const entities = mustAgree && [mustAgree];
    const outcome = await recorder.record(projectId, { entityUpdate, ...(entities && { entities }) });
    if (outcome.outcome === 'stale' && tries < MAX_TRIES) continue;
    requireWritten(outcome);
    return entitySchema.parse(body);
  }
}

/** Checks the registration signature of a new key, or of a stored key whose signature is not stored yet. */
async function proveKey(
  { proofs }: Pick<RecordDeps, 'proofs'>,
  stored: JsonObject,
  {
    projectId,
    id,
    patch: { publicKey, registrationSignature },
  }: { projectId: string; id: string; patch: EntityPatch },
): Promise<AssertedExtensions> {
  const storedKey = typeof stored.publicKey === 'string' ? stored.publicKey : undefined;
  const isProven = isJsonObject(stored.extensions) && IDENTITY_EXTENSION in stored.extensions;
  const isProofOfStored =
    proofs.policy !== 'off' && registrationSignature !== undefined && storedKey !== undefined && !isProven;
  if (registrationSignature !== undefined && publicKey === undefined && !isProofOfStored) {
    throw new ServiceError(
      'ValidationError',
      'The request has a registrationSignature, but no publicKey for it.',
      {
        recovery: 'Send registrationSignature together with the publicKey of the key that signed.',
        details: [{ path: 'registrationSignature', message: 'is sent without publicKey' }],
      },
    );
  }
  if (storedKey !== undefined && !isProofOfStored) return {};
  const registration = {
    entityId: id,
    publicKey: storedKey ?? publicKey,
    registrationSignature,
    at: new Date(),
  };
  return proveRegistration({ proofs }, projectId, registration);
}

function extensionsOf(stored: JsonObject, asserted: AssertedExtensions): { extensions?: JsonObject } {
  if (Object.keys(asserted).length === 0) return {};
  // The new verdict on the key replaces the earlier one.
  const { [VERIFICATION_EXTENSION]: _, ...others } = isJsonObject(stored.extensions) ? stored.extensions : {};
  return { extensions: { ...others, ...asserted } };
}

function applyPatch(stored: JsonObject, id: string, patch: EntityPatch): JsonObject {
  const given = FROZEN.filter((field) => patch[field] !== undefined && stored[field] !== undefined);
  const frozen = given.filter((field) => !isSameWallet(String(patch[field]), String(stored[field])));
  if (frozen.length > 0) throw entityConflict(id, frozen);
  const kept = Object.fromEntries(given.map((field) => [field, stored[field]]));
  const entries = Object.entries({ ...stored, ...patch, ...kept });
  return Object.fromEntries(
    entries.filter(([, value]) => value !== undefined && value !== null),
  ) as JsonObject;
}
