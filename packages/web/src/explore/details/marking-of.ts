import { type Action, type Bundle, isAiKey, MARK_EXTENSION, type Resource } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import type { Marking } from '../../marking/to-marking.js';
import { newestStepOf } from '../../shell/correction.js';
import { toolOf } from '../history/tool.js';

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

/**
 * Returns the data for a marked copy of a content in the history. Undefined if the project does not store the content,
 * or if the newest step that made the content uses no AI or has marked it already. `title`: empty for none.
 */
export function markingOf(
  client: Pick<Client, 'resources'>,
  bundle: Bundle,
  { cid, title }: { cid: string; title: string },
): Marking | undefined {
  const resource = bundle.resources.find((one) => one.cid === cid);
  const step = newestStepOf(bundle, cid);
  if (resource === undefined || !isStored(resource) || step === undefined) return undefined;
  if (MARK_EXTENSION in step.extensions) return undefined;
  const performer = bundle.entities.find(({ id }) => id === step.performedBy);
  const isByAi = performer?.role === 'ai';
  const tool = aiToolOf(step);
  if (tool === undefined && !isByAi) return undefined;
  return {
    read: async (signal) => (await client.resources.content(cid, { signal })).blob(),
    fileName: nameFile(resource, title),
    title,
    entityId: step.performedBy,
    generator: tool ?? performer?.name ?? step.performedBy,
    suggested: isByAi || step.type === 'generate' ? 'ai_generated' : 'ai_assisted',
  };
}

function isStored({ locations }: Resource): boolean {
  return locations.some(({ provider }) => provider === 'colophon');
}

/** The software that Content Credentials name is no AI tool by itself. */
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
