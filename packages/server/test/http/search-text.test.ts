import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const CATS = 'The cat sleeps on the warm stone of the harbour wall while the boats come home. '.repeat(3);
const TAXES =
  'The form for the yearly tax return must be handed in before the end of the month of May. '.repeat(3);

/** The vectors count the letters of a text, which distinguishes two texts. */
function answerTo(body: string): { status: number; json: unknown } {
  const { input } = JSON.parse(body) as { input: string };
  if (input.includes('outage')) return { status: 500, json: {} };
  if (input.includes('nonsense')) return { status: 200, json: { data: [{ embedding: ['a', null] }] } };
  if (input.includes('zero')) return { status: 200, json: { data: [{ embedding: [0, 0, 0] }] } };
  const count = (letter: string) => input.toLowerCase().split(letter).length - 1;
  const embedding = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => count(letter) - input.length / 40);
  return { status: 200, json: { data: [{ embedding }] } };
}

describe('searching texts by their meaning', () => {
  let provider: Server;
  let service: Service;
  const asked: { url: string | undefined; authorization: string | undefined; model: string }[] = [];
  const inputs: string[] = [];
  beforeAll(async () => {
    provider = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const body = Buffer.concat(chunks).toString();
      asked.push({
        url: request.url,
        authorization: request.headers.authorization,
        model: JSON.parse(body).model,
      });
      inputs.push(JSON.parse(body).input);
      const { status, json } = answerTo(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => provider.once('listening', resolve));
    const { port } = provider.address() as AddressInfo;
    service = await startService(ANY_ENGINE, {
      environment: {
        EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`,
        EMBEDDINGS_MODEL: 'letters',
        EMBEDDINGS_API_KEY: 'provider-key',
      },
    });
  });
  afterAll(async () => {
    await service.stop();
    provider.close();
  });

  const search = async (text: string, headers: Record<string, string> = {}) => {
    const answer = await service.send('/v1/search/text', jsonPost({ text }, headers));
    return { status: answer.status, body: await answer.json() };
  };

  it('200: finds a recorded text after the provider embedded it, only in its own project', async () => {
    const { cid } = await (await service.upload(CATS)).json();
    await service.upload(TAXES);
    for (let tries = 0; (await search(CATS)).body.matches.length < 2; tries++) {
      if (tries === 100) throw new Error('the texts were never embedded');
      await sleep(100);
    }
    const { body } = await search(CATS.slice(0, 80));
    expect(body.verdict).toBe('auto');
    expect(body.matches[0]).toEqual({
      cid,
      type: 'text',
      method: 'embedding/letters',
      score: expect.closeTo(1, 1),
    });
    expect(asked[0]).toEqual({
      url: '/v1/embeddings',
      authorization: 'Bearer provider-key',
      model: 'letters',
    });
    const others = await search(CATS, { authorization: `Bearer ${OTHER_KEY}` });
    expect(others.body).toEqual({ verdict: 'no-match', matches: [] });
  });

  it.each(['outage', 'nonsense', 'zero'])('502: the provider fails (%s)', async (fault) => {
    const { status, body } = await search(fault);
    expect([status, body.error.code]).toEqual([502, 'EmbeddingFailed']);
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
  });

  it('decodes a text in UTF-16 before it sends the text to the provider', async () => {
    const text = `Before the harbour was built, ${CATS}`.trim();
    await service.upload(Buffer.from(`\ufeff${text}`, 'utf16le'));
    for (let tries = 0; tries < 100 && !inputs.includes(text); tries++) await sleep(100);
    expect(inputs).toContain(text);
  });

  it('422: a text that is empty or too long', async () => {
    for (const text of ['', '   ', 'x'.repeat(8_001)]) expect((await search(text)).status).toBe(422);
  });

  it('records a text during an outage of the provider', async () => {
    expect((await service.upload(`outage ${CATS}`)).status).toBe(201);
  });
});

describe('searching texts without a provider', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  const search = async (asked: object, headers: Record<string, string> = {}) => {
    const answer = await service.send('/v1/search/text', jsonPost(asked, headers));
    return { status: answer.status, body: await answer.json() };
  };

  it('200: finds the exact words of a text immediately after its recording, only in its own project', async () => {
    const { cid } = await (await service.upload('a heron\n')).json();
    const match = { cid, type: 'text', score: 1, method: 'sha256' };
    expect(await search({ text: 'a heron' })).toEqual({
      status: 200,
      body: { verdict: 'exact', matches: [match] },
    });
    const others = await search({ text: 'a heron' }, { authorization: `Bearer ${OTHER_KEY}` });
    expect(others.body).toEqual({ verdict: 'no-match', matches: [] });
    expect((await search({ text: '. . .' })).body).toEqual({ verdict: 'no-match', matches: [] });
  });

  it('200: finds the texts that share the most words, nearest first', async () => {
    const { cid } = await (await service.upload(CATS)).json();
    const longer = await (await service.upload(`${TAXES}${CATS}`)).json();
    const taxes = await (await service.upload(TAXES)).json();
    await expect.poll(async () => (await search({ text: `${CATS} Indeed.` })).body.matches.length).toBe(2);
    const { verdict, matches } = (await search({ text: `${CATS} Indeed.` })).body;
    expect([verdict, ...matches.map((match: { cid: string }) => match.cid)]).toEqual([
      'auto',
      cid,
      longer.cid,
    ]);
    expect(matches[0].score).toBeGreaterThan(matches[1].score);
    const words = 'The yearly tax return must be handed in before the end of May.';
    expect((await search({ text: words, limit: 1 })).body.matches).toMatchObject([{ cid: taxes.cid }]);
    expect((await search({ text: `${CATS} Indeed.`, minScore: 0.95 })).body.matches).toMatchObject([{ cid }]);
  });

  it('422: an empty text', async () => {
    expect((await search({ text: ' ' })).status).toBe(422);
  });
});
