import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { EmbedInput, ManifestParts } from '@colophon/model';
import { LARGE_CHUNK_BYTES } from '../../blobs/blob-store.js';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { type Content, requireContent } from '../pinning/read-content.js';

/** `said`: the entry in the manifest. `path`: the bytes on disk. */
export interface GatheredIngredient {
  said: NonNullable<ManifestParts['ingredients']>[number] & { id: string; cid: string };
  path: string;
  mediaType: string;
}

interface Brought {
  input: EmbedInput;
  media: Pick<StagedMedia, 'besides'>;
  parts: ReadonlyMap<string, StagedMedia>;
}

export interface GatheredIngredients {
  ingredients: GatheredIngredient[];
  /** Copies the recorded ingredients to their paths. Waits in the fair queue. */
  copy(): Promise<void>;
}

/** Finds ingredients in recorded content and in parts of the form. `maxBytes` limits all recorded ones together. */
export async function gatherIngredients(
  records: RecordDeps,
  projectId: string,
  { input, media, parts, maxBytes, signal }: Brought & { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<GatheredIngredients> {
  assertNamed(parts, input);
  const stored = new Map<string, StoredIngredient>();
  let left = maxBytes;
  const ingredients: GatheredIngredient[] = [];
  for (const [index, { cid = '', part, title, relationship, id }] of input.ingredients.entries()) {
    let found: FoundIngredient | undefined = part === undefined ? stored.get(cid) : requirePart(parts, part);
    if (found === undefined) {
      const content = await requireSmall(records, projectId, { cid, maxBytes: left, signal });
      left -= content.sizeBytes;
      const place = { path: media.besides(`ingredient-${index}`), mediaType: content.mimeType };
      const one = { ...place, cid: content.cid, content };
      stored.set(cid, one);
      found = one;
    }
    ingredients.push({
      said: {
        id: id ?? `ingredient-${index + 1}`,
        cid: found.cid,
        relationship,
        ...(title === undefined ? {} : { title }),
      },
      path: found.path,
      mediaType: found.mediaType,
    });
  }
  return { ingredients, copy: () => copyAll(records, projectId, { stored: [...stored.values()], signal }) };
}

function assertNamed(parts: Brought['parts'], { ingredients }: EmbedInput): void {
  const named = new Set(ingredients.map(({ part }) => part));
  for (const name of parts.keys()) {
    if (named.has(name)) continue;
    throw new ServiceError('InvalidField', `No ingredient names the part \`${name}\`.`, {
      recovery: 'Name the part in `ingredients`, or omit it from the form.',
    });
  }
}

interface FoundIngredient {
  cid: string;
  path: string;
  mediaType: string;
}

interface StoredIngredient extends FoundIngredient {
  content: Content;
}

async function requireSmall(
  records: RecordDeps,
  projectId: string,
  { cid, maxBytes, signal }: { cid: string; maxBytes: number; signal?: AbortSignal | undefined },
): Promise<Content> {
  const content = await requireContent(records, projectId, { cid, signal });
  if (content.sizeBytes <= maxBytes) return content;
  throw new ServiceError(
    'PayloadTooLarge',
    'The recorded ingredients together are larger than MAX_MEDIA_BYTES.',
    {
      recovery: 'Send fewer or smaller ingredients, or ask the operator to raise MAX_MEDIA_BYTES.',
    },
  );
}

/** Fetches lost bytes from a pinning service before the task, because a fetch can take long. */
async function copyAll(
  { scheduler }: Pick<RecordDeps, 'scheduler'>,
  projectId: string,
  { stored, signal }: { stored: readonly StoredIngredient[]; signal?: AbortSignal | undefined },
): Promise<void> {
  if (stored.length === 0) return;
  for (const { content } of stored) await content.ready();
  await scheduler.run({ projectId, kind: 'media', signal }, async (running) => {
    for (const one of stored) await copyStored(one, running);
  });
}

async function copyStored({ content, path }: StoredIngredient, signal: AbortSignal): Promise<void> {
  try {
    // Opens the content first, so that a failure leaves no file open.
    const source = await content.open(undefined, LARGE_CHUNK_BYTES);
    await pipeline(source, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    // The error of the pipeline does not have the reason of the abort.
    signal.throwIfAborted();
    throw error;
  }
}

function requirePart(parts: ReadonlyMap<string, StagedMedia>, name: string): FoundIngredient {
  const found = parts.get(name);
  if (found === undefined) {
    throw new ServiceError('MissingField', `The form has no part \`${name}\`, which an ingredient names.`);
  }
  return { cid: found.digests.cid, path: found.path, mediaType: found.mediaType };
}
