import type { EmbedInput } from '@colophon/model';
import { ServiceError } from '../../errors.js';
import type { StagedMedia } from '../draft/stage-media.js';
import type { CredentialDeps } from './deps.js';
import type { GatheredIngredient } from './gather-ingredients.js';
import { readCredentials } from './read-credentials.js';

interface Parent {
  ingredient: GatheredIngredient;
}

interface History {
  parent: Parent | undefined;
  isUnsigned: boolean;
}

/** A file with a manifest becomes the `parentOf` ingredient of the copy, so the copy contains its history. */
export async function readHistory(
  deps: CredentialDeps,
  projectId: string,
  media: StagedMedia & { signal?: AbortSignal | undefined },
): Promise<History> {
  const { path, mediaType, digests, signal } = media;
  const credentials = await readCredentials(deps, projectId, { path, mediaType, signal });
  const { reading, validation, hasManifest, remoteUrl } = credentials;
  if (validation !== null && reading === undefined) {
    throw unreadable(
      hasManifest ? `The file has a manifest that cannot be read: ${validation.summary}` : validation.summary,
    );
  }
  if (remoteUrl !== undefined) {
    throw unreadable(
      `The manifest of the file is stored elsewhere (${remoteUrl}). The service does not fetch it.`,
    );
  }
  const isUnsigned = validation === null;
  if (reading === undefined) return { parent: undefined, isUnsigned };
  const { title } = reading;
  const parent: Parent = {
    ingredient: {
      said: {
        id: 'parent',
        cid: digests.cid,
        relationship: 'parentOf',
        ...(title === undefined ? {} : { title }),
      },
      path,
      mediaType,
    },
  };
  return { parent, isUnsigned };
}

/** A new signature would hide the unreadable history, and the file would look new. */
function unreadable(message: string): ServiceError {
  return new ServiceError('ValidationError', message, {
    recovery:
      'Sign an undamaged copy. Or sign a copy without the manifest, and name the earlier version as an ingredient.',
    details: [
      {
        path: 'file',
        message: 'The manifest of this file cannot be read, so a signed copy would lose the history',
      },
    ],
  });
}

export function assertOneParent(hasManifest: boolean, { ingredients }: EmbedInput): void {
  const index = ingredients.findIndex(({ relationship }) => relationship === 'parentOf');
  if (!hasManifest || index === -1) return;
  throw new ServiceError(
    'ValidationError',
    'The file has a manifest, which is already its parentOf ingredient.',
    {
      recovery: 'Use the relationship componentOf or inputTo for this ingredient, or leave it out.',
      details: [{ path: `ingredients.${index}.relationship`, message: 'The file has a manifest of its own' }],
    },
  );
}
