import type { Detection, Mark } from '@colophon/model';
import { expect } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import type { Service } from './service.js';

/** The required members of a request to embed a manifest. */
export const SAID = {
  entityId: 'studio:ann',
  generator: { name: 'Studio', version: '1.0' },
  aiDisclosure: null,
};

export function mediaForm(parts: Record<string, Uint8Array | object>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    if (value instanceof Uint8Array) form.set(name, new Blob([value as BlobPart]), 'file');
    else form.set(name, JSON.stringify(value));
  }
  return form;
}

/** `body` has the type of `Response.json`. */
export interface MediaAnswer {
  status: number;
  /** The `Link` header. */
  link: string | null;
  body: Awaited<ReturnType<Response['json']>>;
}

/** Uses the first project's key, unless the headers contain another one. */
export interface MediaClient {
  post(
    path: string,
    parts: Record<string, Uint8Array | object>,
    headers?: Record<string, string>,
  ): Promise<MediaAnswer>;
  embed(file: Uint8Array, json?: object, headers?: Record<string, string>): Promise<MediaAnswer>;
  bytesOf(cid: string): Promise<Buffer>;
}

export function createMediaClient(service: () => Service): MediaClient {
  const post: MediaClient['post'] = async (path, parts, headers = {}) => {
    const body = mediaForm(parts);
    const answer = await service().send(`/v1/media/${path}`, { method: 'POST', body, headers });
    return { status: answer.status, link: answer.headers.get('link'), body: await answer.json() };
  };
  return {
    post,
    embed: (file, json = {}, headers = {}) => post('embed', { file, json: { ...SAID, ...json } }, headers),
    bytesOf: async (cid) =>
      Buffer.from(await (await service().send(`/v1/resource/${cid}/content`)).arrayBuffer()),
  };
}

/** Marks with the first project's key, and calls the public detector without a key. */
export function createMarkClient(service: () => Service, said: object) {
  return {
    async mark(file: Uint8Array, json: object = said): Promise<Mark> {
      const body = mediaForm({ file, json });
      const answer = await service().send('/v1/mark', { method: 'POST', body });
      expect([200, 201]).toContain(answer.status);
      return answer.json();
    },
    layerOf: ({ layers }: Mark) => layers.find(({ kind }) => kind === 'watermark'),
    async detect(file: Uint8Array): Promise<Detection> {
      const body = mediaForm({ file: Buffer.from(file) });
      return (await fetch(`${service().base}/public/detect`, { method: 'POST', body })).json();
    },
  };
}

export async function allowDetection({ context }: Service, project: 'one' | 'two' = 'one'): Promise<void> {
  await context.databases.control.query('update control.project set public_detector = true where id = $1', [
    namedProjectId(project),
  ]);
}

export async function detectAt(base: string, file: Uint8Array | string) {
  const body = mediaForm({ file: Buffer.from(file) });
  const answer = await fetch(`${base}/public/detect`, { method: 'POST', body });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}
