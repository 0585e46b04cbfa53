import {
  type Action,
  type Attribution,
  type Bundle,
  type Entity,
  type PublicationSummary,
  type PublishedHistory,
  publicationPath,
  type Resource,
} from '@colophon/model';
import { promptsOf, toolOf } from './ai-extension.js';
import { isHidden, type PublishedTerms, toRef } from './published-terms.js';
import { tellFacts } from './tell-facts.js';

/** What is known beside the bundle. */
export interface Beside {
  /** The log that proves it; undefined where it cannot be proven. */
  log: PublishedHistory['log'];
  /** Of the bytes, as hex. */
  sha256: string | undefined;
}

type Person = PublishedHistory['people'][number];
type Step = PublishedHistory['steps'][number];

/**
 * A history as everybody may read it. It is made anew from what may be shown, member by member; record ids, entity ids
 * and digests are not among it: with them, what is withheld could be guessed and the guess be checked.
 */
export function describeHistory(bundle: Bundle, terms: PublishedTerms, beside: Beside): PublishedHistory {
  const { cid, aliases = {} } = bundle;
  const canonical = (name: string) => aliases[name] ?? name;
  const people = bundle.entities.map((entity) => toPerson(entity, terms));
  const steps = bundle.actions.map((action) => toStep(action, { terms, canonical }));
  const contents = bundle.resources.map((resource) => toContent(resource, terms));
  const places = new Map(bundle.actions.map(({ id }, place) => [id, place]));
  const { log, sha256 } = beside;
  return {
    id: terms.id,
    cid,
    title: terms.title,
    publishedAt: terms.createdAt.toISOString(),
    expiresAt: terms.expiresAt?.toISOString() ?? null,
    withheld: [...terms.withhold],
    hidden: people.filter(({ hidden }) => hidden).length,
    provable: log !== undefined,
    ...present({ sha256, log }),
    path: publicationPath(terms.id),
    facts: tellFacts({ bundle, people, steps, contents, withhold: terms.withhold }),
    people,
    steps,
    contents,
    credits: bundle.attributions.map((credit) => toCredit(credit, { terms, canonical, places })),
  };
}

/** The same in short. */
export function toSummary(history: PublishedHistory): PublicationSummary {
  const { people: _, steps: __, contents: ___, credits: ____, log: _____, ...summary } = history;
  return summary;
}

const PLAIN_ROLES = ['human', 'ai', 'organization'];

function toPerson(entity: Entity, terms: PublishedTerms): Person {
  const { id, role, name, wallet, metadata } = entity;
  const ref = toRef(terms, id);
  // A role of one's own may say who it is.
  if (isHidden(terms, id)) return { ref, hidden: true, role: PLAIN_ROLES.includes(role) ? role : 'other' };
  return {
    ref,
    hidden: false,
    role,
    ...unless('names', terms, { name }),
    ...unless('wallets', terms, { wallet }),
    ...unless('metadata', terms, { metadata }),
    ...unless('details', terms, { extensions: entity.extensions }),
  };
}

interface StepTerms {
  terms: PublishedTerms;
  canonical: (name: string) => string;
}

function toStep(action: Action, { terms, canonical }: StepTerms): Step {
  const { type, timestamp, performedBy, inputCids, outputCids, extensions, proof } = action;
  return {
    type,
    at: timestamp,
    by: toRef(terms, performedBy),
    inputs: inputCids.map(canonical),
    outputs: outputCids.map(canonical),
    ...unless('tools', terms, { tool: toolOf(action) }),
    prompts: terms.withhold.includes('prompts') ? [] : promptsOf(action),
    signed: proof !== undefined,
    ...unless('details', terms, { extensions: filled(extensions) }),
  };
}

function toContent(resource: Resource, terms: PublishedTerms): PublishedHistory['contents'][number] {
  const { cid, type, mimeType, size, createdBy, owner, createdAt, extensions } = resource;
  return {
    cid,
    type,
    recordedAt: createdAt,
    ...present({
      mimeType,
      size,
      by: createdBy === undefined ? undefined : toRef(terms, createdBy),
      owner: owner === undefined ? undefined : toRef(terms, owner),
    }),
    ...unless('details', terms, { extensions }),
  };
}

function toCredit(
  attribution: Attribution,
  { terms, canonical, places }: StepTerms & { places: ReadonlyMap<string, number> },
): PublishedHistory['credits'][number] {
  const { entityId, actionId, resourceCid, role, weight, note, extensions } = attribution;
  return {
    by: toRef(terms, entityId),
    role,
    ...present({
      step: actionId === undefined ? undefined : places.get(actionId),
      cid: resourceCid === undefined ? undefined : canonical(resourceCid),
      weight,
    }),
    ...unless('notes', terms, { note }),
    ...unless('details', terms, { extensions }),
  };
}

function filled(extensions: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(extensions).length === 0 ? undefined : extensions;
}

/** The members, unless they are withheld. */
function unless<Members extends object>(
  what: PublishedTerms['withhold'][number],
  { withhold }: PublishedTerms,
  members: Members,
): Present<Members> | object {
  return withhold.includes(what) ? {} : present(members);
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

/** The members that are there. */
function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<Members>;
}
