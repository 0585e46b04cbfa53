import {
  type Action,
  type Bundle,
  correctedActions,
  isAiKey,
  MARK_EXTENSION,
  makesContent,
  type PublishedFacts,
  type Resource,
  readDisclosure,
} from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { newestStepOf } from '../shell/correction.js';
import { factsOfContent } from '../shell/facts-of-content.js';
import { toolOf } from '../shell/tool.js';
import type { Disclosure, Marking } from './to-marking.js';

/** File name extensions that differ from the second part of the media type. */
const EXTENSIONS: Readonly<Partial<Record<string, string>>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'video/quicktime': 'mov',
};

/** The statement about a content, by the level of AI in its facts. Other levels have none. */
const STATEMENTS: Readonly<Partial<Record<PublishedFacts['ai'], Disclosure>>> = {
  generated: 'ai_generated',
  assisted: 'ai_assisted',
};

/**
 * Returns the data for a marked copy of a content in the history. Undefined if the project does not store the content,
 * if no AI made or edited it, if no step names the AI, or if the content is itself a marked copy. The statement has the
 * level of AI in the facts of the content. A correction never lowers this level. So the tool and the performer are
 * those of the step that decides the level, even if a later step corrects this step. `title`: empty for none.
 */
export function markingOf(
  client: Pick<Client, 'resources'>,
  bundle: Bundle,
  { cid, title }: { cid: string; title: string },
): Marking | undefined {
  const resource = bundle.resources.find((one) => one.cid === cid);
  const suggested = STATEMENTS[factsOfContent(bundle, cid)?.ai ?? 'unstated'];
  if (resource === undefined || !isStored(resource) || suggested === undefined) return undefined;
  const steps = stepsOf(bundle, cid);
  const step = decidingStep(bundle, { steps, suggested });
  if (step === undefined || steps.some(isMarked)) return undefined;
  const performer = bundle.entities.find(({ id }) => id === step.performedBy);
  return {
    read: async (signal) => (await client.resources.content(cid, { signal })).blob(),
    fileName: nameFile(resource, title),
    title,
    entityId: step.performedBy,
    generator: aiToolOf(step) ?? performer?.name ?? step.performedBy,
    suggested,
  };
}

/**
 * Whether a marked copy of a content needs only a correction that names an AI: the project stores the content, a step
 * made it, and its complete history states nothing about AI.
 */
export function lacksOnlyAi(bundle: Bundle, cid: string): boolean {
  const facts = factsOfContent(bundle, cid);
  const resource = bundle.resources.find((one) => one.cid === cid);
  if (facts?.ai !== 'unstated' || !facts.complete || resource === undefined) return false;
  return isStored(resource) && newestStepOf(bundle, cid) !== undefined;
}

/** Returns the steps with the content as an output, the newest first. */
function stepsOf({ actions, aliases = {} }: Bundle, cid: string): Action[] {
  const making = actions.filter(({ outputCids }) =>
    outputCids.some((name) => (aliases[name] ?? name) === cid),
  );
  return making.sort((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
}

/**
 * Returns the newest step that names the AI and whose own use of AI has the level of the content: generated or edited.
 * Without such a step, returns the newest step that names the AI. In both cases, returns a corrected step only if there
 * is no other.
 */
function decidingStep(
  { entities, actions, aliases }: Bundle,
  { steps, suggested }: { steps: readonly Action[]; suggested: Disclosure },
): Action | undefined {
  const ais = new Set(entities.filter(({ role }) => role === 'ai').map(({ id }) => id));
  const corrected = correctedActions(actions, aliases);
  const isByAi = ({ performedBy }: Action) => ais.has(performedBy);
  const isGenerated = (step: Action) => makesContent(step.type) && (isByAi(step) || step.type === 'generate');
  const naming = steps.filter((step) => isByAi(step) || aiToolOf(step) !== undefined);
  const current = naming.filter(({ id }) => !corrected.has(id));
  const isDeciding = (step: Action) => isGenerated(step) === (suggested === 'ai_generated');
  return current.find(isDeciding) ?? naming.find(isDeciding) ?? current[0] ?? naming[0];
}

/** Whether the step made a marked copy. A mark with the disclosure null only states that no AI was used. */
function isMarked({ extensions }: Action): boolean {
  return typeof readDisclosure(extensions[MARK_EXTENSION]) === 'string';
}

function isStored({ locations }: Resource): boolean {
  return locations.some(({ provider }) => provider === 'colophon');
}

/**
 * Returns the AI tool of a step. Software that only Content Credentials name counts as an AI tool only if the step has
 * an extension about AI.
 */
function aiToolOf(step: Action): { name: string; provider?: string } | undefined {
  if (step.aiTool === undefined && !Object.keys(step.extensions).some(isAiKey)) return undefined;
  const tool = toolOf(step);
  if (tool === undefined) return undefined;
  return { name: tool.name, ...(tool.provider === undefined ? {} : { provider: tool.provider }) };
}

/** The title if it looks like a file name. Otherwise a name with the extension of the media type. */
function nameFile({ cid, mimeType = '' }: Resource, title: string): string {
  if (/\.[a-z0-9]{2,5}$/i.test(title)) return title;
  const [, subtype = ''] = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(mimeType) ?? [];
  const extension = EXTENSIONS[mimeType] ?? subtype;
  return extension === '' ? cid : `${cid}.${extension}`;
}
