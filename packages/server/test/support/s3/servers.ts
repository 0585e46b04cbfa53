import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from '../../../src/blobs/s3/bucket.js';
import { freePort } from '../free-port.js';
import { type Gate, startGate } from './conditional-gate.js';

/** The bucket is empty. */
export interface S3Server {
  place: S3Location & { endpoint: string };
  /** Undefined for a server without a proxy. */
  gate?: Gate;
  close(): Promise<void>;
}

const BUCKET = 'colophon-test';

interface S3rver {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

/** `s3rver` accepts every signature. The proxy in front of it adds missing features. */
export async function startS3rver(): Promise<S3Server> {
  const Server = createRequire(import.meta.url)('s3rver') as new (options: object) => S3rver;
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-s3rver-'));
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const gate = await startGate((await server.run()).port);
  const place = {
    endpoint: `http://127.0.0.1:${gate.port}`,
    bucket: BUCKET,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
  return {
    place,
    gate,
    async close() {
      await gate.close();
      await server.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const PYTHON = '/usr/bin/python3';

/** Debian: python3-swift. */
export function hasSwift(): boolean {
  return spawnSync(PYTHON, ['-c', 'import swift.common.middleware.s3api']).status === 0;
}

/** Swift checks signatures, and answers a conditional put with 501. */
export async function startSwift(): Promise<S3Server> {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-swift-'));
  const port = await freePort();
  const script = fileURLToPath(new URL('./swift-server.py', import.meta.url));
  const child = spawn(PYTHON, [script, directory, String(port)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('Swift did not start')));
  });
  const place = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: 'us-east-1',
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
  };
  const client = createTestClient(place);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
  return {
    place,
    async close() {
      child.stdin.end();
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

/** Reads a bucket or corrupts its content. */
export function createTestClient({
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Server['place']): S3Client {
  return new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}
