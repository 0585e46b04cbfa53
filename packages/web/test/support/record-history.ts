import { type ActivityRequest, AI_EXTENSION } from '@colophon/model';
import { type Client, createClient } from '@colophon/sdk';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import { KEY, type Service } from '../../../server/test/support/service.js';

export const NOTE = 'Joined for the summer fair';
export const PROMPT = `A harbour at dawn with ${'many small boats, '.repeat(12)}and a heron`;

/** The poster has 5 actions, 5 contents, two people and a tool. Returns its CID. */
export async function recordPoster(service: Service): Promise<string> {
  const client = clientOf(service);
  const [ann, bo] = [
    { id: 'studio:ann', role: 'human', name: 'Ann of the studio' },
    { id: 'studio:bo', role: 'human', name: 'Bo Lind' },
  ] as const;
  const aiTool = { provider: 'Acme', model: 'painter-7' };
  const record = async (
    number: number,
    entity: ActivityRequest['entity'],
    action: ActivityRequest['action'],
    attribution?: ActivityRequest['attribution'],
  ) => {
    const request = { entity, action, resourceType: 'image', ...(attribution ? { attribution } : {}) };
    return (await client.file(await makePicture(number), request)).cid;
  };
  const photo = await record(1, ann, { type: 'create', timestamp: '2026-03-02T09:10:00.000Z' });
  const found = await record(2, bo, { type: 'reference', timestamp: '2026-03-02T10:40:00.000Z' });
  const crop = await record(3, ann, {
    type: 'transform',
    inputCids: [photo],
    timestamp: '2026-03-03T08:00:00.000Z',
  });
  const drawn = await record(4, bo, {
    type: 'generate',
    aiTool,
    inputCids: [found],
    timestamp: '2026-03-03T11:30:00.000Z',
    extensions: { [AI_EXTENSION]: { ...aiTool, prompt: PROMPT } },
  });
  const join: ActivityRequest['action'] = {
    type: 'aggregate',
    inputCids: [crop, drawn, photo],
    timestamp: '2026-03-04T16:05:00.000Z',
  };
  return record(5, ann, join, { note: NOTE });
}

function clientOf({ base }: Service): Client {
  return createClient({ url: base, apiKey: KEY });
}
