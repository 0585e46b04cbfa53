import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { EmbedInput, ManifestParts } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { RecordNeeds } from '../needs.js';
import { requireContent } from '../read-content.js';
import type { StagedMedia } from './stage-media.js';

/** Content that goes into a signed file: what its manifest says of it, and its bytes on disk. */
export interface GatheredIngredient {
  said: NonNullable<ManifestParts['ingredients']>[number] & { id: string; cid: string };
  path: string;
  mediaType: string;
}

/** The ingredients of a request, each with its bytes: from the store, or from a part of the form. */
export async function gatherIngredients(
  records: RecordNeeds,
  projectId: string,
  { input, media, parts }: { input: EmbedInput; media: StagedMedia; parts: ReadonlyMap<string, StagedMedia> },
): Promise<GatheredIngredient[]> {
  const gathered: GatheredIngredient[] = [];
  for (const [
    index,
    { cid, part, id = `ingredient-${index + 1}`, title, relationship },
  ] of input.ingredients.entries()) {
    const found =
      part === undefined
        ? await copyStored(records, projectId, { cid: cid ?? '', path: media.besides(`ingredient-${index}`) })
        : requirePart(parts, part);
    gathered.push({
      said: { id, cid: found.cid, relationship, ...(title === undefined ? {} : { title }) },
      path: found.path,
      mediaType: found.mediaType,
    });
  }
  return gathered;
}

interface Found {
  cid: string;
  path: string;
  mediaType: string;
}

async function copyStored(
  records: RecordNeeds,
  projectId: string,
  { cid, path }: { cid: string; path: string },
): Promise<Found> {
  const content = await requireContent(records, projectId, cid);
  await pipeline(await content.open(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { cid: content.cid, path, mediaType: content.mimeType };
}

function requirePart(parts: ReadonlyMap<string, StagedMedia>, name: string): Found {
  const found = parts.get(name);
  if (found === undefined) {
    throw new ServiceError('MissingField', `The form has no part \`${name}\`, which an ingredient names.`);
  }
  return { cid: found.digests.cid, path: found.path, mediaType: found.mediaType };
}
