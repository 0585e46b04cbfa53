import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { BlobStore } from '../../src/blobs/blob-store.js';
import { openDirectoryStore } from '../../src/blobs/directory/directory-store.js';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import { openS3Store } from '../../src/blobs/s3/open-s3-store.js';
import { createTestClient, type S3Server, startS3rver, startSwift } from './s3/servers.js';

const PART_BYTES = 5 * 2 ** 20;

/** A store to test, and what it leaves behind. */
export interface Candidate {
  open(): Promise<BlobStore>;
  /** Unfinished uploads. */
  drafts(): Promise<string[]>;
  close(): Promise<void>;
}

export const KINDS: Record<string, () => Promise<Candidate>> = {
  memory: async () => ({
    open: async () => createMemoryStore(2 ** 27),
    drafts: async () => [],
    close: async () => {},
  }),
  async directory() {
    const root = mkdtempSync(path.join(tmpdir(), 'colophon-blobs-'));
    return {
      open: () => openDirectoryStore(root),
      drafts: async () => readdirSync(path.join(root, 'tmp')),
      close: async () => rmSync(root, { recursive: true }),
    };
  },
  'S3: s3rver': async () => toCandidate(await startS3rver()),
  'S3: OpenStack Swift': async () => toCandidate(await startSwift()),
};

function toCandidate({ place, close }: S3Server): Candidate {
  const client = createTestClient(place);
  const Bucket = place.bucket;
  return {
    open: () =>
      openS3Store({ ...place, maxContentBytes: 2 ** 30, partBytes: PART_BYTES, reportFailure: fail }),
    async drafts() {
      const uploads = await client.send(new ListMultipartUploadsCommand({ Bucket }));
      const objects = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'drafts/' }));
      return [...(uploads.Uploads ?? []), ...(objects.Contents ?? [])].map(({ Key }) => Key ?? '');
    },
    async close() {
      client.destroy();
      await close();
    },
  };
}

function fail(error: unknown): void {
  throw error;
}
