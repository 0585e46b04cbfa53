import { createHash, hash, randomFillSync } from 'node:crypto';
import {
  type ActionInput,
  type AttributionDetails,
  canonicalJson,
  digestRecord,
  type EntityInput,
  type JsonObject,
  type RecordKind,
  type Salts,
} from '@colophon/model';

/** A record to write. `digest`: hex. `salts`: the salts of personal fields. */
export interface Draft {
  id: string;
  body: JsonObject;
  digest: string;
  salts: Salts;
}

/** `given` must agree with a stored entity. It omits the name if the id derives from it, since names can change. */
export interface EntityDraft extends Draft {
  given: JsonObject;
}

/** `resourceType`: type of the outputs. `fingerprint`: SHA-256 (hex) of the request. */
export interface ActionDraft extends Draft {
  resourceType: string;
  fingerprint: string;
  /** True when the caller chose the id. A stored action with this id may be the same request, sent again. */
  idIsGiven: boolean;
  /** True when the service does not enforce proofs or cannot verify this proof. */
  proofMayRepeat?: true;
  /** True for an imported action, which changes neither the state nor the creator of outputs. */
  statesNothing?: true;
}

const createSha256 = () => createHash('sha256');
const sha256Hex = (text: string) => hash('sha256', text, 'hex');

const RANDOM_BYTES = 4096;

/** Generates many bytes at a time, because each generator call costs microseconds. */
function createRandomSource(): (sizeBytes: number) => Uint8Array {
  const pool = new Uint8Array(RANDOM_BYTES);
  let unused = 0;
  return (sizeBytes) => {
    if (sizeBytes > pool.length)
      throw new RangeError(`A source returns at most ${pool.length} bytes at a time.`);
    if (unused < sizeBytes) unused = randomFillSync(pool).length;
    unused -= sizeBytes;
    const drawn = pool.slice(unused, unused + sizeBytes);
    pool.fill(0, unused, unused + sizeBytes);
    return drawn;
  };
}

/** Faster than the functions of `@colophon/model`, which also run in browsers. */
export const NODE_CRYPTO = { createSha256, sha256Hex, randomBytes: createRandomSource() };

export type AssertedExtensions = Record<string, JsonObject>;

interface EntityCircumstances {
  id: string;
  at: Date;
  asserted: AssertedExtensions;
}

export function draftEntity(input: EntityInput, { id, at, asserted }: EntityCircumstances): EntityDraft {
  const { registrationSignature: _, ...stored } = input;
  const given = withoutAbsent({ ...stored, id });
  const extensions = { ...input.extensions, ...asserted };
  const body = {
    ...given,
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
    createdAt: at.toISOString(),
  };
  const { name: _name, ...withoutName } = given;
  return { ...draft('entity', id, body), given: input.id === undefined ? withoutName : given };
}

/** `request`: the data that the fingerprint of the action covers. */
interface ActionCircumstances {
  id: string;
  at: Date;
  idIsGiven: boolean;
  request: JsonObject;
  asserted: AssertedExtensions;
}

/** Members of a request that the record omits or changes. */
const MOVED_MEMBERS: readonly string[] = ['resourceType', 'extensions', 'timestamp'];

/** Drafts an action. Records `aiTool` as the extension `ext:ai@1.0.0` too, unless the request has this extension. */
export function draftAction(input: Omit<ActionInput, 'id'>, circumstances: ActionCircumstances): ActionDraft {
  const { id, idIsGiven, at, request, asserted } = circumstances;
  const { resourceType, extensions, timestamp } = input;
  const ai = input.aiTool === undefined ? {} : { 'ext:ai@1.0.0': withoutAbsent(input.aiTool) };
  const body = withoutAbsent(input, MOVED_MEMBERS);
  body.id = id;
  body.extensions = { ...ai, ...extensions, ...asserted };
  body.timestamp = timestamp ?? at.toISOString();
  const drafted = draft('action', id, body);
  return Object.assign(drafted, { resourceType, fingerprint: fingerprintOf(request), idIsGiven });
}

interface AttributionTarget {
  id: string;
  entityId: string;
  actionId?: string | undefined;
  resourceCid?: string | undefined;
  role: string;
}

export function draftAttribution(target: AttributionTarget, details: AttributionDetails, at: Date): Draft {
  const body = withoutAbsent({ ...target, ...details, createdAt: at.toISOString() });
  return draft('attribution', target.id, body);
}

function draft(kind: RecordKind, id: string, body: JsonObject): Draft {
  const { digest, salts } = digestRecord(kind, body, NODE_CRYPTO);
  return { id, body, digest: digest.slice('sha256:'.length), salts };
}

function fingerprintOf(request: JsonObject): string {
  return sha256Hex(canonicalJson(request));
}

/** Omits undefined members, and the members that `others` names. */
export function withoutAbsent(object: object, others: readonly string[] = []): JsonObject {
  const present: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined && !others.includes(name)) present[name] = value;
  }
  return present;
}
