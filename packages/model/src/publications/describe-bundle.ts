import { findCorrections } from '../extensions/correction.js';
import { LICENSE_EXTENSION, licenseTermsOf } from '../extensions/license.js';
import { markedInput } from '../extensions/mark.js';
import type { Action } from '../records/action.js';
import type { Attribution } from '../records/attribution.js';
import type { Bundle } from '../records/bundle.js';
import type { Entity } from '../records/entity.js';
import type { Resource } from '../records/resource.js';
import { promptsOf, toolOf } from './ai-extension.js';
import { hideMarks } from './hide-marks.js';
import { withMarkers } from './history-facts.js';
import { type AiLevel, listFacts, statesNoAi, usesAiTool } from './list-facts.js';
import type { Withholdable } from './publication.js';
import type { PublishedHistory } from './published-history.js';

/** The settings and functions that determine the visible data of a bundle. */
export interface View {
  withhold: readonly Withholdable[];
  /** Whether readers see the terms of licences even if `details` is withheld; default: false. */
  license?: boolean | undefined;
  isHidden(entityId: string): boolean;
  toRef(entityId: string): string;
}

/** The parts of a published history that are derived from a bundle. */
export type DescribedBundle = Pick<PublishedHistory, 'facts' | 'people' | 'steps' | 'contents' | 'credits'>;

type Person = PublishedHistory['people'][number];
type Step = PublishedHistory['steps'][number];

/**
 * Creates the public form of a history. It copies the visible data member by member. Record ids, entity ids and digests
 * are left out, because a reader could use them to confirm a guess of withheld data. If the AI tools are withheld, the
 * result also lacks the marks that `hideMarks` removes. These marks still count for the level of AI, so that a label
 * never disappears.
 *
 * @example
 * const view = { withhold: [], isHidden: () => false, toRef: (id) => id };
 * const bundle = { cid: 'b', entities: [], actions: [], attributions: [], resources: [], complete: true };
 * describeBundle(bundle, view).facts.ai; // => 'unstated'
 */
export function describeBundle(bundle: Bundle, view: View): DescribedBundle {
  const described = describeShown(bundle, view);
  const shown = view.withhold.includes('tools') ? hideMarks(bundle) : bundle;
  return shown === bundle ? described : describeShown(shown, view, levelWithoutMarks(described, shown, view));
}

/**
 * `shown`: the history without the marks that `hideMarks` removes. `aiCorrected` stays only if `shown` has it too, with
 * the same level.
 */
function levelWithoutMarks({ facts }: DescribedBundle, shown: Bundle, view: View): AiLevel {
  const { ai, aiCorrected } = facts;
  if (aiCorrected === undefined) return { ai };
  const left = describeShown(shown, view).facts;
  return left.ai === ai && left.aiCorrected === true ? { ai, aiCorrected } : { ai };
}

/** `level`: by default, that of the bundle. */
function describeShown(bundle: Bundle, view: View, level?: AiLevel): DescribedBundle {
  const { aliases = {} } = bundle;
  const canonical = (name: string) => aliases[name] ?? name;
  const people = bundle.entities.map((entity) => toPerson(entity, view));
  const ais = new Set(bundle.entities.filter(({ role }) => role === 'ai').map(({ id }) => id));
  const places = new Map(bundle.actions.map(({ id }, place) => [id, place]));
  const correctedPlaces = placeCorrections(bundle, places);
  const steps = bundle.actions.map((action) => ({
    ...toStep(action, { view, canonical, ais }),
    ...present({ corrects: correctedPlaces.get(action.id) }),
  }));
  const contents = bundle.resources.map((resource) => toContent(resource, view));
  return {
    facts: listFacts({ bundle, people, steps, contents, withhold: view.withhold }, level),
    people,
    steps,
    contents,
    credits: withMarkers(
      steps,
      bundle.attributions.map((credit) => toCredit(credit, { view, canonical, places })),
    ),
  };
}

/** Maps the id of each correction to the index of the corrected action. */
function placeCorrections(
  { actions, aliases }: Bundle,
  places: ReadonlyMap<string, number>,
): Map<string, number> {
  const corrections = [...findCorrections(actions, aliases)];
  return new Map(corrections.map(([corrected, correction]) => [correction, places.get(corrected) ?? 0]));
}

const PLAIN_ROLES = ['human', 'ai', 'organization'];

function toPerson(entity: Entity, view: View): Person {
  const { id, role, name, wallet, metadata } = entity;
  const ref = view.toRef(id);
  // The name of a custom role can reveal the entity.
  if (view.isHidden(id)) return { ref, hidden: true, role: PLAIN_ROLES.includes(role) ? role : 'other' };
  return {
    ref,
    hidden: false,
    role,
    ...unless('names', view, { name }),
    ...unless('wallets', view, { wallet }),
    ...unless('metadata', view, { metadata }),
    ...extensionsIn(view, entity),
  };
}

interface StepTerms {
  view: View;
  canonical: (name: string) => string;
}

function toStep(action: Action, { view, canonical, ais }: StepTerms & { ais: ReadonlySet<string> }): Step {
  const { type, timestamp, performedBy, inputCids, outputCids, extensions, proof } = action;
  return {
    type,
    at: timestamp,
    by: view.toRef(performedBy),
    inputs: inputCids.map(canonical),
    outputs: outputCids.map(canonical),
    ...unless('tools', view, {
      tool: toolOf(action),
      withoutAi: isWithoutAi(action, ais) || undefined,
      markedCid: markedInput(action, canonical),
    }),
    prompts: view.withhold.includes('prompts') ? [] : promptsOf(action),
    signed: proof !== undefined,
    ...extensionsIn(view, { extensions: filled(extensions) }),
  };
}

/** Whether the action states that no AI was used, and nothing else in the action contradicts this. */
function isWithoutAi(action: Action, ais: ReadonlySet<string>): boolean {
  if (action.type === 'generate' || ais.has(action.performedBy) || usesAiTool(action)) return false;
  return statesNoAi(action);
}

function toContent(resource: Resource, view: View): PublishedHistory['contents'][number] {
  const { cid, type, mimeType, size, createdBy, owner, createdAt, extensions } = resource;
  return {
    cid,
    type,
    recordedAt: createdAt,
    ...present({
      mimeType,
      size,
      by: createdBy === undefined ? undefined : view.toRef(createdBy),
      owner: owner === undefined ? undefined : view.toRef(owner),
    }),
    ...unless('details', view, { extensions }),
  };
}

function toCredit(
  attribution: Attribution,
  { view, canonical, places }: StepTerms & { places: ReadonlyMap<string, number> },
): PublishedHistory['credits'][number] {
  const { entityId, actionId, resourceCid, role, weight, note, extensions } = attribution;
  return {
    by: view.toRef(entityId),
    role,
    ...present({
      step: actionId === undefined ? undefined : places.get(actionId),
      cid: resourceCid === undefined ? undefined : canonical(resourceCid),
      weight,
    }),
    ...unless('notes', view, { note }),
    ...extensionsIn(view, { extensions }),
  };
}

interface WithExtensions {
  extensions?: Record<string, unknown> | undefined;
}

/** All, only the terms of the licence, or none. */
function extensionsIn(view: View, { extensions }: WithExtensions): WithExtensions {
  if (!view.withhold.includes('details')) return present({ extensions });
  const terms = view.license ? licenseTermsOf({ extensions }) : undefined;
  return terms === undefined ? {} : { extensions: { [LICENSE_EXTENSION]: terms } };
}

function filled(extensions: Record<string, unknown>): Record<string, unknown> | undefined {
  return Object.keys(extensions).length === 0 ? undefined : extensions;
}

function unless<Members extends object>(
  what: Withholdable,
  { withhold }: View,
  members: Members,
): Present<Members> | object {
  return withhold.includes(what) ? {} : present(members);
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> };

function present<Members extends object>(members: Members): Present<Members> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<Members>;
}
