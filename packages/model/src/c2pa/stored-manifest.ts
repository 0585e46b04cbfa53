import * as z from 'zod';
import type { JsonObject } from '../canonical-json.js';
import { readAiStatements } from './ai-statements.js';
import type { SourceTypeMeaning } from './digital-source-type.js';
import { lenientInstant, lenientLabel, lenientList, lenientText, readUpTo } from './lenient-fields.js';
import { PROVENANCE_ASSERTION, provenanceAssertionSchema } from './provenance-assertion.js';
import { type StatusCode, statusCodesOf } from './status-code.js';
import { readActions, type StoredAction } from './stored-action.js';
import { IDENTITY_ASSERTION, readIdentity, type StoredIdentity } from './stored-identity.js';
import { readSoftBindings, SOFT_BINDING_ASSERTION, type StoredSoftBinding } from './stored-soft-binding.js';
import { readTool, type Tool } from './tool.js';

export interface Room {
  readonly ingredients: number;
  readonly actions: number;
}

const MAX_AUTHORS = 100;
const MAX_IDENTITIES = 100;
const MAX_ASSERTIONS = 1000;

export interface StoredIngredient {
  /** Actions refer to this label. */
  readonly label: string | undefined;
  readonly title: string | undefined;
  readonly format: string | undefined;
  readonly instanceId: string | undefined;
  readonly documentId: string | undefined;
  readonly relationship: 'parentOf' | 'componentOf' | 'inputTo' | undefined;
  readonly manifestLabel: string | undefined;
  readonly thumbnail: string | undefined;
  /** The codes of the check of the ingredient's own manifest, at the time when the ingredient was used. */
  readonly codes: readonly StatusCode[];
}

export interface StoredSignature {
  readonly issuer: string | undefined;
  readonly commonName: string | undefined;
  readonly algorithm: string | undefined;
  /** The time that a time-stamp authority states. */
  readonly time: string | undefined;
}

export interface StoredAuthor {
  readonly name: string;
  readonly role: 'human' | 'organization';
}

/** A manifest with a claim of version 1 or 2. */
export interface StoredManifest {
  readonly label: string;
  readonly title: string | undefined;
  readonly format: string | undefined;
  readonly instanceId: string | undefined;
  readonly generator: Tool | undefined;
  readonly ingredients: readonly StoredIngredient[];
  readonly actions: readonly StoredAction[];
  readonly aiStatements: ReadonlySet<SourceTypeMeaning>;
  readonly metadata: JsonObject | undefined;
  readonly authors: readonly StoredAuthor[];
  readonly identities: readonly StoredIdentity[];
  readonly softBindings: readonly StoredSoftBinding[];
  readonly thumbnail: string | undefined;
  readonly signature: StoredSignature | undefined;
  /** Whether the parser read all parts of the manifest. */
  readonly isComplete: boolean;
}

const rawThumbnail = z.object({ identifier: lenientLabel }).optional().catch(undefined);

const rawIngredient = z.object({
  label: lenientLabel,
  title: lenientText(),
  format: lenientText(128),
  instance_id: lenientText(),
  document_id: lenientText(),
  relationship: z.enum(['parentOf', 'componentOf', 'inputTo']).optional().catch(undefined),
  active_manifest: lenientLabel,
  thumbnail: rawThumbnail,
  validation_results: z.unknown().optional(),
  validation_status: lenientList,
});

const rawSignature = z
  .object({
    alg: lenientText(64),
    issuer: lenientText(256),
    common_name: lenientText(256),
    time: lenientInstant,
  })
  .optional()
  .catch(undefined);

const rawAssertion = z.object({ label: z.string().min(1).max(200), data: z.unknown().optional() });

const rawManifest = z.object({
  claim_generator: lenientText(256),
  claim_generator_info: lenientList,
  title: lenientText(),
  format: lenientText(128),
  instance_id: lenientText(),
  ingredients: lenientList,
  assertions: lenientList,
  thumbnail: rawThumbnail,
  signature_info: rawSignature,
});

/** IPTC Photo Metadata 2023.1, "Digital Source Type", as XMP in JSON-LD. */
const rawMetadata = z
  .object({ 'Iptc4xmpExt:DigitalSourceType': z.string().max(200) })
  .transform((metadata) => [metadata['Iptc4xmpExt:DigitalSourceType']]);

const rawCreativeWork = z.object({ author: lenientList });

const rawAuthor = z
  .object({ name: lenientText(256), '@type': z.unknown().optional() })
  .catch({ name: undefined, '@type': undefined });

const ACTIONS = /^c2pa\.actions(?:\.v\d+)?(?:__\d+)?$/;
const METADATA = /^(?:c2pa\.metadata|cawg\.metadata|stds\.iptc(?:\.photo-metadata)?)(?:__\d+)?$/;
const CREATIVE_WORK = /^stds\.schema-org\.CreativeWork(?:__\d+)?$/;
const PROVENANCE = new RegExp(`^${PROVENANCE_ASSERTION.replaceAll('.', '\\.')}$`);

type RawManifest = z.output<typeof rawManifest>;

/**
 * Members of the wrong type count as absent. Leaves out elements beyond `room` and the constants `MAX_*`. Throws
 * ZodError if `json` is not an object.
 */
export function readManifest(label: string, json: unknown, room: Room): StoredManifest {
  const raw = rawManifest.parse(json);
  const { named, dataOf, isComplete: hasAllAssertions } = readAssertions(raw);
  const { actions, isComplete: hasAllActions } = readActions(dataOf(ACTIONS), room.actions);
  const readIngredients = raw.ingredients.slice(0, room.ingredients).flatMap((item) => readIngredient(item));
  const ingredients = readIngredients.map(({ ingredient }) => ingredient);
  const authors = readUpTo(dataOf(CREATIVE_WORK).flatMap(authorsOf), MAX_AUTHORS, readAuthor);
  const identities = named(IDENTITY_ASSERTION);
  const softBindings = readSoftBindings(dataOf(SOFT_BINDING_ASSERTION));
  const isComplete =
    hasAllAssertions &&
    hasAllActions &&
    raw.ingredients.length <= room.ingredients &&
    readIngredients.every(({ hasAllCodes }) => hasAllCodes) &&
    identities.length <= MAX_IDENTITIES &&
    authors.isComplete &&
    softBindings.isComplete;
  const { aiDisclosure, metadata } = provenanceAssertionSchema.safeParse(dataOf(PROVENANCE)[0]).data ?? {};
  const sourceTypes = dataOf(METADATA).flatMap((data) => rawMetadata.safeParse(data).data ?? []);
  return {
    label,
    title: raw.title,
    format: raw.format,
    instanceId: raw.instance_id,
    generator: generatorOf(raw),
    ingredients,
    actions,
    aiStatements: readAiStatements({ actions, ingredients, sourceTypes, aiDisclosure }),
    metadata,
    authors: authors.items,
    identities: identities.slice(0, MAX_IDENTITIES).map((assertion) => readIdentity(assertion)),
    softBindings: softBindings.items,
    thumbnail: raw.thumbnail?.identifier,
    signature: signatureOf(raw),
    isComplete,
  };
}

function readAssertions({ assertions: list }: RawManifest) {
  const assertions = list.slice(0, MAX_ASSERTIONS).flatMap((item) => rawAssertion.safeParse(item).data ?? []);
  const named = (pattern: RegExp) => assertions.filter(({ label }) => pattern.test(label));
  const dataOf = (pattern: RegExp) => named(pattern).map(({ data }) => data);
  return { named, dataOf, isComplete: list.length <= MAX_ASSERTIONS };
}

/** Without `claim_generator_info` (C2PA 2.3 §10.2), the user agent text is the tool. */
function generatorOf({ claim_generator_info: [info], claim_generator: userAgent }: RawManifest) {
  return readTool(info) ?? readTool(userAgent);
}

function readIngredient(json: unknown): { ingredient: StoredIngredient; hasAllCodes: boolean }[] {
  const raw = rawIngredient.safeParse(json).data;
  if (raw === undefined) return [];
  const { codes, isComplete: hasAllCodes } = statusCodesOf(raw.validation_results, raw.validation_status);
  const ingredient = {
    label: raw.label,
    title: raw.title,
    format: raw.format,
    instanceId: raw.instance_id,
    documentId: raw.document_id,
    relationship: raw.relationship,
    manifestLabel: raw.active_manifest,
    thumbnail: raw.thumbnail?.identifier,
    codes,
  };
  return [{ ingredient, hasAllCodes }];
}

function signatureOf({ signature_info: info }: RawManifest): StoredSignature | undefined {
  if (info === undefined) return undefined;
  const { alg: algorithm, issuer, common_name: commonName, time } = info;
  return { issuer, commonName, algorithm, time };
}

function authorsOf(creativeWork: unknown): unknown[] {
  return rawCreativeWork.safeParse(creativeWork).data?.author ?? [];
}

function readAuthor(author: unknown): StoredAuthor | undefined {
  const { name, '@type': type } = rawAuthor.parse(author);
  if (name === undefined) return undefined;
  return { name, role: type === 'Organization' ? 'organization' : 'human' };
}
