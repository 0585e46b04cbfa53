import { type ManifestStore, parseManifestStore, toValidation, type Validation } from '@colophon/model';
import type { ManifestThumbnail, ReadOutcome } from '../../media/media-engine.js';
import type { CredentialNeeds } from './needs.js';
import type { StagedMedia } from './stage-media.js';

/** What a file says; the verdict on what is there, null when nothing is. */
export interface Credentials {
  /** Undefined without a manifest, and for one that does not parse. */
  store: ManifestStore | undefined;
  validation: Validation | null;
  /** False as well where the file is damaged and nothing of a manifest is in what is left of it. */
  hasManifest: boolean;
  /** Where the file says that its manifest is. */
  remoteUrl?: string;
  thumbnails: readonly ManifestThumbnail[];
}

/** Reads and checks the manifest of a file, trusting whom the service and the project trust. */
export async function readCredentials(
  needs: CredentialNeeds,
  projectId: string,
  { path, mediaType }: Pick<StagedMedia, 'path' | 'mediaType'>,
): Promise<Credentials> {
  const trustAnchorsPem = await anchorsOf(needs, projectId);
  const engine = await needs.engine.get();
  const outcome = await engine.read({
    path,
    mediaType,
    tenant: projectId,
    identityAnchorsPem: needs.identityAnchorsPem,
    ...(trustAnchorsPem === undefined ? {} : { trustAnchorsPem }),
  });
  switch (outcome.kind) {
    case 'none':
      return { store: undefined, validation: null, hasManifest: false, thumbnails: [] };
    case 'remote':
      return {
        store: undefined,
        validation: null,
        hasManifest: false,
        remoteUrl: outcome.url,
        thumbnails: [],
      };
    case 'broken':
      return {
        store: undefined,
        validation: toValidation(outcome),
        hasManifest: outcome.holdsManifest,
        thumbnails: [],
      };
    case 'store':
      return check(outcome);
  }
}

function check({ store: json, thumbnails }: ReadOutcome & { kind: 'store' }): Credentials {
  const store = parseManifestStore(json);
  return { store, validation: toValidation(store), hasManifest: true, thumbnails };
}

/** The certificates that a project's files are checked against, as PEM. */
export async function anchorsOf(needs: CredentialNeeds, projectId: string): Promise<string | undefined> {
  const { trustAnchorsPem } = await needs.readSettings(projectId);
  const all = [needs.trustAnchorsPem, trustAnchorsPem].filter((pem) => pem !== undefined);
  return all.length === 0 ? undefined : all.join('\n');
}
