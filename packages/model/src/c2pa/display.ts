import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { findAi } from './ai-detection.js';
import { levelOfSourceType } from './digital-source-type.js';
import { identityText, toIdentities } from './identity.js';
import type { ManifestStore } from './manifest-store.js';
import { signerName, visibleText } from './signer-name.js';
import type { StoredManifest } from './stored-manifest.js';
import type { Tool } from './tool.js';
import { toValidation, type Validation } from './validation.js';
import {
  doubtOfIdentity,
  hasAlteredIngredient,
  isPartlyProtected,
  isSignerTrusted,
  sayDoubt,
  wasAltered,
} from './validation-summary.js';

/** When there are more changes, the oldest ones are left out. */
const MAX_CHANGES = 100;
const MAX_SOURCES = 3;

const changeSchema = z.object({
  text: z.string().meta({ examples: ['Colours adjusted'] }),
  when: instantAnswer.nullable(),
  tool: z.string().nullable(),
  action: z.string().meta({ description: 'Name of the C2PA action', examples: ['c2pa.adjustedColor'] }),
  sources: z.array(z.string()).meta({ description: 'Titles of up to three contents that the action used' }),
  moreSources: z.int().nonnegative().meta({ description: 'Number of further titles' }),
  description: z.string().nullable().meta({ description: 'Description in the file' }),
  ai: z.enum(['generated', 'assisted']).optional().meta({
    description: 'Present if the file states that AI made or edited the content in this change',
  }),
});

const factsSchema = z
  .object({
    isSignerTrusted: z.boolean(),
    isPartlyProtected: z
      .boolean()
      .meta({ description: 'Whether the signature may leave out a part of the file besides the manifest' }),
    hasAlteredIngredient: z.boolean(),
    identityDoubt: z.enum(['unconfirmed', 'invalid']).nullable().meta({
      description:
        'The problem of an identity that signed the file in addition to its signer (CAWG); null without a problem',
    }),
  })
  .meta({ description: 'The facts in `headline`, for a translation. Null for an invalid manifest' });

/** Schema of the texts that describe a file to people. The texts are plain text, not HTML. */
export const displaySchema = z
  .object({
    headline: z.string(),
    facts: factsSchema.nullable(),
    signedBy: z.string().nullable(),
    identities: z.array(z.string()).meta({
      description: 'People and organisations that signed the file in addition to its signer',
      examples: [['Ann, whose identity is confirmed']],
    }),
    signedAt: instantAnswer.nullable(),
    tool: z.string().nullable(),
    changes: z.array(changeSchema).meta({ description: 'Oldest first, over all versions' }),
    aiLabel: z.enum(['Made with AI', 'Edited with AI']).nullable(),
  })
  .meta({ id: 'C2paDisplay', description: 'Texts about a file for people' });

/** Texts about a file for people. */
export type Display = z.output<typeof displaySchema>;

/** Texts for actions of C2PA 2.3 §18.15 and for their older names. */
const TEXTS: Readonly<Record<string, string>> = {
  'c2pa.addedText': 'Text added',
  'c2pa.adjustedColor': 'Colours adjusted',
  'c2pa.changedSpeed': 'Speed changed',
  'c2pa.color_adjusted': 'Colours adjusted',
  'c2pa.color_adjustments': 'Colours adjusted',
  'c2pa.converted': 'Converted to another format',
  'c2pa.created': 'Created',
  'c2pa.cropped': 'Cropped',
  'c2pa.deleted': 'Parts deleted',
  'c2pa.drawing': 'Drawn on',
  'c2pa.dubbed': 'Voice replaced',
  'c2pa.edited': 'Edited',
  'c2pa.edited.metadata': 'Description changed',
  'c2pa.enhanced': 'Enhanced',
  'c2pa.filtered': 'Filter applied',
  'c2pa.opened': 'Opened',
  'c2pa.orientation': 'Rotated or mirrored',
  'c2pa.placed': 'Other content placed in it',
  'c2pa.published': 'Published',
  'c2pa.redacted': 'Parts of the history removed',
  'c2pa.removed': 'Part removed',
  'c2pa.repackaged': 'Repackaged',
  'c2pa.resized': 'Resized',
  'c2pa.resized.proportional': 'Resized',
  'c2pa.transcoded': 'Converted to another encoding',
  'c2pa.translated': 'Translated',
  'c2pa.trimmed': 'Shortened',
  'c2pa.watermarked.bound': 'Marked with an invisible watermark',
  'c2pa.watermarked.unbound': 'Marked with an invisible watermark',
  'c2pa.watermarked': 'Marked with an invisible watermark',
};

/**
 * Returns texts about a file for people: its trust state, its signer and other identities, the time of signing, the
 * tool, the changes in all versions, and whether AI took part. Names from the file are shown without invisible
 * characters and without characters that change the text direction.
 *
 * For an invalid file, the texts contain no data of its manifest.
 *
 * @example
 * const data = { actions: [{ action: 'c2pa.created' }, { action: 'c2pa.cropped' }] };
 * const manifests = { a: { assertions: [{ label: 'c2pa.actions', data }], signature_info: { issuer: 'Ann' } } };
 * const store = parseManifestStore({ active_manifest: 'a', manifests, validation_state: 'Trusted' });
 * toDisplay(store).headline; // => 'Signed by Ann and unchanged since'
 * toDisplay(store).changes.map(({ text }) => text); // => ['Created', 'Cropped']
 */
export function toDisplay(store: ManifestStore, validation: Validation = toValidation(store)): Display {
  const { signature, generator } = store.active;
  if (validation.state === 'invalid') {
    const headline = `Do not rely on this file: ${lowerFirst(validation.summary.replace(/\.$/, ''))}`;
    return {
      headline,
      facts: null,
      signedBy: null,
      identities: [],
      signedAt: null,
      tool: null,
      changes: [],
      aiLabel: null,
    };
  }
  const signedBy = signerName(signature) ?? null;
  const facts = {
    isSignerTrusted: validation.state === 'trusted' || isSignerTrusted(store),
    isPartlyProtected: isPartlyProtected(store),
    hasAlteredIngredient: hasAlteredIngredient(store),
    identityDoubt: doubtOfIdentity(store),
  };
  return {
    headline: `${headlineOf(facts, signedBy)}${facts.hasAlteredIngredient ? ALTERED_BEFORE : ''}`,
    facts,
    signedBy,
    identities: toIdentities(store, store.active).map((identity) => identityText(identity)),
    signedAt: signature?.time ?? null,
    tool: toolName(generator),
    changes: versionsOf(store).flatMap(changesOf).slice(-MAX_CHANGES),
    aiLabel: aiLabelOf(findAi(store)(store.active).disclosure),
  };
}

const ALTERED_BEFORE = '; one of its source files was altered before it was used';

function headlineOf(facts: NonNullable<Display['facts']>, signedBy: string | null): string {
  const { isPartlyProtected: isPart, identityDoubt: doubt } = facts;
  const identity = doubt === null ? '' : `; ${sayDoubt(doubt)}`;
  if (facts.isSignerTrusted) {
    const signer = signedBy ?? 'somebody who is not named';
    return `Signed by ${signer} and unchanged since${isPart ? ' in its protected part' : ''}${identity}`;
  }
  const unchanged = isPart ? 'The protected part of the file is unchanged' : 'Unchanged';
  const identityOfSigner =
    signedBy === null ? 'the signer is not named' : `it is not known who “${signedBy}” really is`;
  return `${unchanged} since it was signed, but ${identityOfSigner}${identity}`;
}

function aiLabelOf(disclosure: 'ai_generated' | 'ai_assisted' | null): Display['aiLabel'] {
  if (disclosure === null) return null;
  return disclosure === 'ai_generated' ? 'Made with AI' : 'Edited with AI';
}

/** Oldest first. Omits an altered version and everything before it. */
function versionsOf({ active, manifests }: ManifestStore): StoredManifest[] {
  const versions = new Set([active]);
  for (const { ingredients } of versions) {
    const parent = ingredients.find(({ relationship }) => relationship === 'parentOf');
    const earlier = manifests.get(parent?.manifestLabel ?? '');
    if (earlier !== undefined && !wasAltered(parent?.codes ?? [])) versions.add(earlier);
  }
  return [...versions].reverse();
}

function changesOf(manifest: StoredManifest): Display['changes'] {
  const titles = new Map(manifest.ingredients.map(({ label, title }) => [label, title]));
  return manifest.actions.map((action) => {
    const names = action.ingredients.flatMap((label) => titles.get(label) ?? []).map(visibleText);
    const ai = levelOfSourceType(action.digitalSourceType);
    const parts = {
      action: action.action,
      sources: names.slice(0, MAX_SOURCES),
      moreSources: Math.max(0, names.length - MAX_SOURCES),
      description: action.description === undefined ? null : visibleText(action.description),
      ...(ai === undefined ? {} : { ai }),
    };
    return { text: textOf(parts), when: action.when ?? null, tool: toolName(action.softwareAgent), ...parts };
  });
}

type Parts = Pick<Display['changes'][number], 'action' | 'sources' | 'moreSources' | 'description' | 'ai'>;

const AI_TEXTS = { generated: ' (AI-generated)', assisted: ' (AI-edited)' };

function textOf({ action, sources, moreSources, description, ai }: Parts): string {
  const known = Object.hasOwn(TEXTS, action) ? TEXTS[action] : undefined;
  const did = known ?? 'Changed; the file does not state how';
  const text = ai === undefined ? did : `${did}${AI_TEXTS[ai]}`;
  if (sources.length === 0) return `${text}${description === null ? '' : `: ${description}`}`;
  const names = sources.map((name) => `“${name}”`).join(', ');
  const more = moreSources === 0 ? '' : ` and ${moreSources} more`;
  return `${text}: ${names}${more}${description === null ? '' : `. ${description}`}`;
}

/**
 * Returns `name version` when the tool states a version. Of a user agent text (RFC 9110 §10.1.5), returns the first
 * product, because further products are libraries.
 */
function toolName(tool: Tool | undefined): string | null {
  if (tool === undefined) return null;
  if (tool.version !== undefined) return visibleText(`${tool.name} ${tool.version}`) || null;
  const [, name, version] = /^([^\s/]+)\/([^\s/]+)(?:\s|$)/.exec(tool.name) ?? [];
  const text = name === undefined ? tool.name : `${name.replaceAll('_', ' ')} ${version}`;
  return visibleText(text) || null;
}

function lowerFirst(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
