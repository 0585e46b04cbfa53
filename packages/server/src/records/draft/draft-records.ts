import { createHash, hash } from 'node:crypto';
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

/** A finished record: its body as digested, the digest (hex) and the salts of personal fields. */
export interface Draft {
  id: string;
  body: JsonObject;
  digest: string;
  salts: Salts;
}

/**
 * An entity with the fields that the caller gave, which must agree with those stored. A name from which the id
 * derived is not among them: it still finds the entity when it has been renamed.
 */
export interface EntityDraft extends Draft {
  given: JsonObject;
}

/** An action, the type of its outputs, and the fingerprint (hex) of its request. */
export interface ActionDraft extends Draft {
  resourceType: string;
  fingerprint: string;
  /** The caller chose the id, so that the action may be a replay. */
  idIsGiven: boolean;
  /** Proofs are not enforced, so another action may have the same proof. */
  proofMayRepeat?: true;
  /**
   * The action is a claim of a file about itself. It neither claims nor references its outputs, and they get no
   * creator.
   */
  statesNothing?: true;
}

const createSha256 = () => createHash('sha256');
const sha256Hex = (text: string) => hash('sha256', text, 'hex');

/** Extensions that the service itself adds to a record, by key. */
export type AssertedExtensions = Record<string, JsonObject>;

/** Further input of an entity's draft; `id` is the caller's or derived. */
export interface EntityCircumstances {
  id: string;
  at: Date;
  asserted: AssertedExtensions;
}

/** Drafts the entity that the caller supplied. */
export function draftEntity(input: EntityInput, { id, at, asserted }: EntityCircumstances): EntityDraft {
  const { registrationSignature: _, ...stored } = input;
  const given = withoutAbsent({ ...stored, id });
  const extensions = { ...input.extensions, ...asserted };
  const body = {
    ...given,
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
    createdAt: at.toISOString(),
  };
  const { name: _name, ...beyondName } = given;
  return { ...draft('entity', id, body), given: input.id === undefined ? beyondName : given };
}

/** Further input of an action's draft. The fingerprint covers `request`. */
export interface ActionCircumstances {
  id: string;
  at: Date;
  idIsGiven: boolean;
  request: JsonObject;
  asserted: AssertedExtensions;
}

/** Members of a request that its record has in another place. */
const MOVED_MEMBERS: readonly string[] = ['resourceType', 'extensions', 'timestamp'];

/** Drafts an action. `aiTool` is also recorded as `ext:ai@1.0.0`, unless the caller sent that extension. */
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

/** The entity, role and target of an attribution. */
export interface AttributionTarget {
  id: string;
  entityId: string;
  actionId?: string | undefined;
  resourceCid?: string | undefined;
  role: string;
}

/** Drafts an attribution to an action, to content, or to both. */
export function draftAttribution(target: AttributionTarget, details: AttributionDetails, at: Date): Draft {
  const body = withoutAbsent({ ...target, ...details, createdAt: at.toISOString() });
  return draft('attribution', target.id, body);
}

function draft(kind: RecordKind, id: string, body: JsonObject): Draft {
  const { digest, salts } = digestRecord(kind, body, { createSha256, sha256Hex });
  return { id, body, digest: digest.slice('sha256:'.length), salts };
}

function fingerprintOf(request: JsonObject): string {
  return sha256Hex(canonicalJson(request));
}

/**
 * Copies the object without undefined members and the named ones. The rest came from JSON or from our own strings.
 */
export function withoutAbsent(object: object, others: readonly string[] = []): JsonObject {
  const present: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined && !others.includes(name)) present[name] = value;
  }
  return present;
}
