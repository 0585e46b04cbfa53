import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const RECORDS = 16;
const MEMBERS = 4_500;
const cidOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const CID = cidOf('content');
/** One statement can read this history of about 650 KiB. */
const OTHER_CID = cidOf('other content');
/** A step of a history has up to 256 KiB, and one record can exceed it. */
const MOST_AT_ONCE = 2 ** 18 + 2 ** 16;
const MODEL = 'painter';

/** A parser stores each new member name. */
const named = (prefix: string) =>
  Object.fromEntries(Array.from({ length: MEMBERS }, (_, place) => [`${prefix}${place}`, 0]));

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  const ids = Array.from({ length: RECORDS }, (_, place) => `studio:${place}`);
  const entities = ids.map((id, place) => ({ id, role: 'human', metadata: named(`e${place}.`) }));
  const actions = [
    {
      ...{ performedBy: 'studio:0', outputCids: [CID], sessionId: 'large' },
      extensions: { 'ext:ai@1.0.0': { provider: 'acme', model: MODEL } },
    },
    { performedBy: 'studio:0', outputCids: [OTHER_CID] },
  ];
  const attributions = [...ids, ...ids.slice(0, 6)].map((entityId, place) => ({
    ...{ entityId, resourceCid: place < RECORDS ? CID : OTHER_CID, role: 'contributor' },
    extensions: { 'ext:names@1.0.0': named(`a${place}.`) },
  }));
  const batches = [{ entities }, { actions }, { attributions }];
  for (const batch of batches) {
    const answer = await service.send('/v1/batch', jsonPost(batch));
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
  }
});
afterAll(() => service.stop());

/** Reads `path`. Returns the answer, and the length of the longest text that the service parsed or wrote at once. */
async function measure(path: string) {
  const { parse, stringify } = JSON;
  let longest = 0;
  const note = (text: unknown) => {
    longest = Math.max(longest, String(text).length);
  };
  const spies = [
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
      note(text);
      return parse(text, reviver);
    }),
    vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
      const text = stringify(...given);
      note(text);
      return text;
    }),
  ];
  const answer = await service.send(path);
  const text = await answer.text();
  for (const spy of spies) spy.mockRestore();
  return { status: answer.status, text, json: parse(text), longest };
}

it.each([
  ['/bundle', `/bundle/${CID}`],
  ['/provenance', `/provenance/${CID}`],
  ['/graph', `/graph/${CID}`],
  ['/session', '/session/large/provenance'],
  ['/bundle of a shorter history', `/bundle/${OTHER_CID}`],
  ['a proven bundle', `/v1/bundle/${OTHER_CID}?proof=true`],
  ['a proven bundle of version 1', `/v1/bundle/${OTHER_CID}?proof=true&proofVersion=1`],
])('%s parses and writes a history with many member names in parts', async (_, path) => {
  const { status, text, longest } = await measure(path);
  expect(status).toBe(200);
  expect(text.length).toBeGreaterThan(1.5 * MOST_AT_ONCE);
  expect(longest).toBeLessThan(MOST_AT_ONCE);
});

it('/media/ai-check parses a history with many member names in parts', async () => {
  const { json, longest } = await measure(`/media/ai-check/${CID}`);
  expect(json).toMatchObject({ hasC2PA: false, isAIGenerated: true, aiTool: `acme/${MODEL}` });
  expect(longest).toBeLessThan(MOST_AT_ONCE);
});

it('/entities parses and writes one entity after the other', async () => {
  const { json, text, longest } = await measure('/entities?limit=200');
  expect([json.count, json.entities.length]).toEqual([RECORDS, RECORDS]);
  expect(json.entities.at(-1).metadata['e0.1']).toBe(0);
  expect(text.length).toBeGreaterThan(2 * MOST_AT_ONCE);
  expect(longest).toBeLessThan(2 ** 17);
});
