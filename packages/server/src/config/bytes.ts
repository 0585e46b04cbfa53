import path from 'node:path';
import type { S3Location } from '../blobs/s3/bucket.js';
import type { Variables } from './variables.js';

export type BlobLocation =
  | { kind: 'memory'; capacityBytes: number }
  | { kind: 'dir'; directory: string }
  | ({ kind: 's3' } & S3Location);

export interface PinningConfig {
  pinata: { jwt: string; gateway: string | undefined; uploadUrl: string | undefined } | undefined;
  kubo: { apiUrl: string } | undefined;
}

const S3_VARIABLES = [
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const;

/** Returns a sentence for each missing variable that `BLOB_STORE` or a bucket requires. */
export function findByteContradictions(given: Variables): string[] {
  const { BLOB_STORE: store } = given;
  const inBucket = isInBucket(given) ? 'S3_BUCKET' : undefined;
  const deps: [by: string | undefined, name: keyof Variables, example: string][] = [
    [toName(store, 'dir'), 'DATA_DIR', '/var/lib/colophon'],
    [toName(store, 's3'), 'S3_BUCKET', 'provenance'],
    [toName(store, 'pinata'), 'PINATA_JWT', 'eyJhbGciOi...'],
    [toName(store, 'kubo'), 'IPFS_API_URL', 'http://127.0.0.1:5001'],
    [inBucket, 'S3_ACCESS_KEY_ID', 'AKIA...'],
    [inBucket, 'S3_SECRET_ACCESS_KEY', '...'],
  ];
  return deps
    .filter(([by, name]) => by !== undefined && given[name] === undefined)
    .map(([by, name, example]) => `${by} needs ${name}, e.g. ${name}=${example}`);
}

function toName(store: string | undefined, named: string): string | undefined {
  return store === named ? `BLOB_STORE=${store}` : undefined;
}

/** Without `BLOB_STORE`, prefers a configured bucket to a directory, and a directory to memory. */
export function toBlobLocation(read: Variables): BlobLocation {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = read;
  if (
    isInBucket(read) &&
    bucket !== undefined &&
    accessKeyId !== undefined &&
    secretAccessKey !== undefined
  ) {
    const region = read.S3_REGION ?? 'us-east-1';
    return { kind: 's3', endpoint: read.S3_ENDPOINT, bucket, region, accessKeyId, secretAccessKey };
  }
  if (read.DATA_DIR !== undefined && read.BLOB_STORE !== 'memory') {
    return { kind: 'dir', directory: path.resolve(read.DATA_DIR, 'blobs') };
  }
  return { kind: 'memory', capacityBytes: read.MEMORY_STORE_BYTES };
}

export function toPinning({
  PINATA_JWT: jwt,
  PINATA_GATEWAY: gateway,
  PINATA_UPLOAD_URL: uploadUrl,
  IPFS_API_URL: apiUrl,
}: Variables): PinningConfig {
  return {
    pinata: jwt === undefined ? undefined : { jwt, gateway, uploadUrl },
    kubo: apiUrl === undefined ? undefined : { apiUrl },
  };
}

/** Returns the variables that are set, but belong to a store or pinning service that the configuration does not use. */
export function unusedByteVariables(read: Variables): string[] {
  const unused: (keyof Variables)[] = [];
  if (!isInBucket(read)) unused.push(...S3_VARIABLES);
  if (read.PINATA_JWT === undefined) unused.push('PINATA_GATEWAY', 'PINATA_UPLOAD_URL');
  return unused.filter((name) => read[name] !== undefined);
}

/** `BLOB_STORE=pinata` and `BLOB_STORE=kubo` only add pins. They do not change where the bytes are stored. */
function isInBucket({ BLOB_STORE: store, S3_BUCKET: bucket }: Variables): boolean {
  return bucket !== undefined && store !== 'memory' && store !== 'dir';
}
