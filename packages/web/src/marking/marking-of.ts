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

/** Extensions that differ from the second part of the media type. */
const EXTENSIONS: Readonly<Partial<Record<string, string>>> = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'video/quicktime': 'mov',
};

const STATEMENTS: Readonly<Partial<Record<PublishedFacts['ai'], Disclosure>>> = {
  generated: 'ai_generated',
  assisted: 'ai_assisted',
};

/**
 * Returns the data for a marked copy. Undefined if the project does not store the content, no AI made or edited it, no
 * step names the AI, or the content is itself a marked copy. Tool and performer are those of the step that decides the
 * level, even if it is corrected. `title`: empty for none.
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

/** Whether a marked copy needs only a correction that names an AI. */
export function lacksOnlyAi(bundle: Bundle, cid: string): boolean {
  const facts = factsOfContent(bundle, cid);
  const resource = bundle.resources.find((one) => one.cid === cid);
  if (facts?.ai !== 'unstated' || !facts.complete || resource === undefined) return false;
  return isStored(resource) && newestStepOf(bundle, cid) !== undefined;
}

/** Newest first. */
function stepsOf({ actions, aliases = {} }: Bundle, cid: string): Action[] {
  const making = actions.filter(({ outputCids }) =>
    outputCids.some((name) => (aliases[name] ?? name) === cid),
  );
  return making.sort((one, other) => Date.parse(other.timestamp) - Date.parse(one.timestamp));
}

/**
 * Returns the newest step that names the AI and has the level of the content, or else the newest that names the AI. A
 * corrected step comes last.
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

/** A mark with the disclosure null only states that no AI was used. */
function isMarked({ extensions }: Action): boolean {
  return typeof readDisclosure(extensions[MARK_EXTENSION]) === 'string';
}

function isStored({ locations }: Resource): boolean {
  return locations.some(({ provider }) => provider === 'colophon');
}

/** Software in Content Credentials counts only if the step has an extension about AI. */
function aiToolOf(step: Action): { name: string; provider?: string } | undefined {
  if (step.aiTool === undefined && !Object.keys(step.extensions).some(isAiKey)) return undefined;
  const tool = toolOf(step);
  if (tool === undefined) return undefined;
  return { name: tool.name, ...(tool.provider === undefined ? {} : { provider: tool.provider }) };
}

/** Returns the title if it looks like a file name. */
function nameFile({ cid, mimeType = '' }: Resource, title: string): string {
  if (/\.[a-z0-9]{2,5}$/i.test(title)) return title;
  const [, subtype = ''] = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(mimeType) ?? [];
  const extension = EXTENSIONS[mimeType] ?? subtype;
  return extension === '' ? cid : `${cid}.${extension}`;
}
