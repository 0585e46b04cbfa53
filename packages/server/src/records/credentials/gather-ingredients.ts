import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { EmbedInput, ManifestParts } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordDeps } from '../deps.js';
import type { StagedMedia } from '../draft/stage-media.js';
import { requireContent } from '../pinning/read-content.js';

/** An ingredient of a signed file: its manifest entry (`said`), and its bytes on disk (`path`). */
export interface GatheredIngredient {
  said: NonNullable<ManifestParts['ingredients']>[number] & { id: string; cid: string };
  path: string;
  mediaType: string;
}

interface Brought {
  input: EmbedInput;
  media: StagedMedia;
  parts: ReadonlyMap<string, StagedMedia>;
}

/**
 * Collects the ingredients of a request. Their bytes come from recorded content or from parts of the form. Copies each
 * recorded content once. Throws `PayloadTooLarge` when the copies exceed `maxBytes` together, `MissingField` for a
 * missing part, and `InvalidField` for a part that no ingredient names.
 */
export async function gatherIngredients(
  records: RecordDeps,
  projectId: string,
  { input, media, parts, maxBytes, signal }: Brought & { maxBytes: number; signal?: AbortSignal | undefined },
): Promise<GatheredIngredient[]> {
  assertNamed(parts, input);
  const copies = new Map<string, FoundIngredient>();
  let left = maxBytes;
  const gathered: GatheredIngredient[] = [];
  for (const [index, { cid = '', part, title, relationship, id }] of input.ingredients.entries()) {
    let found = part === undefined ? copies.get(cid) : requirePart(parts, part);
    if (found === undefined) {
      const path = media.besides(`ingredient-${index}`);
      found = await copyStored(records, projectId, { cid, path, maxBytes: left, signal });
      left -= found.sizeBytes;
      copies.set(cid, found);
    }
    gathered.push({
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
  return gathered;
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
  sizeBytes: number;
}

async function copyStored(
  records: RecordDeps,
  projectId: string,
  {
    cid,
    path,
    maxBytes,
    signal,
  }: { cid: string; path: string; maxBytes: number; signal?: AbortSignal | undefined },
): Promise<FoundIngredient> {
  const content = await requireContent(records, projectId, { cid, signal });
  const { sizeBytes } = content;
  if (sizeBytes > maxBytes) {
    throw new ServiceError(
      'PayloadTooLarge',
      'The recorded ingredients together are larger than MAX_MEDIA_BYTES.',
      {
        recovery: 'Send fewer or smaller ingredients, or ask the operator to raise MAX_MEDIA_BYTES.',
      },
    );
  }
  await pipeline(await content.open(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { cid: content.cid, path, mediaType: content.mimeType, sizeBytes };
}

function requirePart(parts: ReadonlyMap<string, StagedMedia>, name: string): FoundIngredient {
  const found = parts.get(name);
  if (found === undefined) {
    throw new ServiceError('MissingField', `The form has no part \`${name}\`, which an ingredient names.`);
  }
  const { cid, sizeBytes } = found.digests;
  return { cid, path: found.path, mediaType: found.mediaType, sizeBytes };
}
