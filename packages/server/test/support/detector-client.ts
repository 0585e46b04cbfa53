import type { Detection } from '@colophon/model';
import { expect } from 'vitest';
import { detectAt } from './media-form.js';
import { jsonPost, type Service } from './service.js';

const WORDS =
  'heron river reeds morning silver patient water shallow feather stone current minnow shadow willow bank mist quiet hunter long grey legs standing still before sudden strike ripples settle again under pale sky';
/** Long enough for a fingerprint. */
export const textOf = (topic: string) => `${WORDS} ${topic} ${WORDS.split(' ').toReversed().join(' ')}`;

/** Publishes content of the performer `studio:ann`. */
export function createDetectorClient(service: () => Service) {
  const detect = async (file: Uint8Array | string): Promise<Detection> => {
    const { status, body } = await detectAt(service().base, file);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const record = async (content: string, action: object = {}) =>
    (await (await service().upload(content, { entity: { id: 'studio:ann', role: 'human' }, action })).json())
      .cid;
  const publish = async (cid: string, options: object = {}, headers: Record<string, string> = {}) =>
    (await (await service().send('/v1/publications', jsonPost({ cid, ...options }, headers))).json())
      .id as string;
  return { detect, record, publish };
}
