import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ManifestReading } from '../../media/manifest-reading.js';
import { makeTemporaryDirectory } from '../../platform/files/temporary-directory.js';
import type { RecordDeps } from '../deps.js';
import { requireContent } from '../pinning/read-content.js';
import type { CredentialDeps } from './deps.js';
import { readCredentials } from './read-credentials.js';

/** Reads the manifest of a signed file that was recorded earlier. */
export async function readRecorded(
  { records, credentials }: { records: RecordDeps; credentials: CredentialDeps },
  projectId: string,
  { cid, signal }: { cid: string; signal: AbortSignal | undefined },
): Promise<ManifestReading> {
  const content = await requireContent(records, projectId, { cid, signal });
  const directory = await makeTemporaryDirectory('media');
  try {
    const file = path.join(directory, 'recorded');
    await pipeline(await content.open(), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
    const { reading } = await readCredentials(credentials, projectId, {
      path: file,
      mediaType: content.mimeType,
    });
    if (reading === undefined) throw new Error('The recorded signed file has no manifest that can be read');
    return reading;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
