import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createClient } from '@colophon/sdk';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { PNG } from './support/media.js';
import { ANY_ENGINE, KEY, type Service, startService } from './support/service.js';

const EXAMPLES = fileURLToPath(new URL('../../../examples/frameworks/', import.meta.url));
const importExample = (name: string) => import(pathToFileURL(EXAMPLES + name).href);

let service: Service;
beforeAll(async () => {
  service = await startService(ANY_ENGINE);
});
afterAll(() => service.stop());

async function startExample(name: string) {
  const child = spawn(process.execPath, [EXAMPLES + name], {
    env: { PATH: process.env.PATH, PORT: '0', COLOPHON_URL: service.base, COLOPHON_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const base = /http:\S+/.exec(String(line))?.[0];
  const post = (path: string, body: Uint8Array) =>
    fetch(base + path, { method: 'POST', body: body as BodyInit, headers: { 'content-type': 'image/png' } });
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { post, stop };
}

const bundleOf = async (cid: string) => (await service.send(`/v1/bundle/${cid}`)).json();

it.each(['express.mjs', 'hono.mjs'])(
  '%s records an upload, returns the same CID for a repetition, and verifies the file',
  async (name) => {
    const app = await startExample(name);
    const photo = Buffer.concat([PNG, Buffer.from(name)]);
    const first = await app.post('/photos?by=Ann', photo);
    const { cid } = await first.json();
    expect(first.status).toBe(201);
    expect(await bundleOf(cid)).toMatchObject({ cid, entities: [{ role: 'human', name: 'Ann' }] });
    const second = await app.post('/photos?by=Ann', photo);
    expect([second.status, await second.json()]).toEqual([200, { cid }]);
    expect(await (await app.post('/verify', photo)).json()).toEqual({ verified: true, cid });
    const altered = await app.post('/verify', Buffer.concat([photo, Buffer.of(0)]));
    expect(await altered.json()).toMatchObject({ verified: false });
    await app.stop();
  },
);

it('next-route.mjs records the photo of a form', async () => {
  vi.stubEnv('COLOPHON_URL', service.base);
  vi.stubEnv('COLOPHON_API_KEY', KEY);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { POST } = await importExample('next-route.mjs');
  const send = (fields: Record<string, string | File>) => {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.set(field, value);
    return POST(new Request('http://localhost:3000/photos', { method: 'POST', body })) as Promise<Response>;
  };
  const photo = new File([PNG as BlobPart, 'of a form'], 'photo.png');
  const first = await send({ photo, by: 'Ann' });
  const { cid } = await first.json();
  expect(first.status).toBe(201);
  expect(await bundleOf(cid)).toMatchObject({ cid, entities: [{ name: 'Ann' }] });
  const second = await send({ photo, by: 'Ann' });
  expect([second.status, await second.json()]).toEqual([200, { cid }]);
  expect((await send({ by: 'Ann' })).status).toBe(400);
});

describe('ai-middleware.mjs', () => {
  const usage = {
    inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 7, text: 7, reasoning: 0 },
  };
  const finishReason = { unified: 'stop', raw: 'stop' };
  const prompt = 'A very private prompt';

  async function wrap(text: string, options: object = {}) {
    const root = pathToFileURL(EXAMPLES).href;
    const { createRequire } = await import('node:module');
    const resolve = createRequire(root).resolve;
    const { generateText, streamText, wrapLanguageModel } = await import(resolve('ai'));
    const { MockLanguageModelV3, simulateReadableStream } = await import(resolve('ai/test'));
    const { recordGenerations } = await importExample('ai-middleware.mjs');
    const [half, rest] = [text.slice(0, 4), text.slice(4)];
    const mock = new MockLanguageModelV3({
      provider: 'acme',
      modelId: 'poet-1',
      doGenerate: { content: [{ type: 'text', text }], finishReason, usage, warnings: [] },
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: half },
            { type: 'text-delta', id: '1', delta: rest },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason, usage },
          ],
        }),
      },
    });
    const recorded: { cid: string; actionId: string }[] = [];
    const failures: Error[] = [];
    const middleware = recordGenerations({
      client: createClient({ url: service.base, apiKey: KEY, maxRetries: 0 }),
      entity: { id: 'studio:ann', role: 'human', name: 'Ann' },
      onRecorded: (one: { cid: string; actionId: string }) => recorded.push(one),
      onError: (error: Error) => failures.push(error),
      ...options,
    });
    const model = wrapLanguageModel({ model: mock, middleware });
    return {
      recorded,
      failures,
      generate: async () => (await generateText({ model, prompt })).text,
      stream: async () => {
        let said = '';
        for await (const piece of streamText({ model, prompt }).textStream) said += piece;
        return said;
      },
    };
  }

  it.each(['generate', 'stream'] as const)(
    'records the output of %sText, and a hash of the prompt',
    async (way) => {
      const text = `A poem, made by ${way}`;
      const model = await wrap(text);
      expect(await model[way]()).toBe(text);
      expect(model.failures).toEqual([]);
      const [{ cid, actionId } = { cid: '', actionId: '' }] = model.recorded;
      const content = await service.send(`/v1/resource/${cid}/content`);
      expect(await content.text()).toBe(text);
      const answer = await (await service.send(`/v1/action/${actionId}`)).text();
      expect(answer).not.toContain(prompt);
      const sent = JSON.stringify([{ role: 'user', content: [{ type: 'text', text: prompt }] }]);
      expect(JSON.parse(answer)).toMatchObject({
        type: 'generate',
        performedBy: 'studio:ann',
        aiTool: { provider: 'acme', model: 'poet-1' },
        extensions: {
          'ext:ai@1.0.0': {
            provider: 'acme',
            model: 'poet-1',
            promptHash: `sha256:${createHash('sha256').update(sent).digest('hex')}`,
            tokensUsed: 12,
          },
        },
      });
    },
  );

  it('records two generations of the same text as two actions with one content', async () => {
    const model = await wrap('The same again');
    await model.generate();
    await model.generate();
    expect(model.failures).toEqual([]);
    const [first, second] = model.recorded;
    expect(second?.cid).toBe(first?.cid);
    expect(second?.actionId).not.toBe(first?.actionId);
  });

  it('stores the prompt if `storePrompt` is true', async () => {
    const model = await wrap('With its prompt', { storePrompt: true });
    await model.generate();
    const answer = await service.send(`/v1/action/${model.recorded[0]?.actionId}`);
    expect(await answer.text()).toContain(prompt);
  });

  it.each(['generate', 'stream'] as const)(
    'with `mark`, the output of %sText ends with marks that verify, and a copy of it still has them',
    async (way) => {
      const text = `A poem of the cafe\u0301, marked by ${way}`;
      const model = await wrap(text, { mark: true });
      const said = await model[way]();
      expect(model.failures).toEqual([]);
      expect([said.startsWith(text), said.length > text.length]).toEqual([true, true]);
      const body = new FormData();
      body.set('file', new Blob([said]), 'pasted.txt');
      const verdict = await (await service.send('/v1/media/verify', { method: 'POST', body })).json();
      expect(verdict).toMatchObject({ validation: { state: 'valid' }, aiDetection: { isAIGenerated: true } });
      const action = await (await service.send(`/v1/action/${model.recorded[0]?.actionId}`)).json();
      expect(action).toMatchObject({
        type: 'generate',
        aiTool: { provider: 'acme', model: 'poet-1' },
        extensions: {
          'ext:ai@1.0.0': { tokensUsed: 12 },
          'ext:mark@1.0.0': { aiDisclosure: 'ai_generated' },
        },
      });
    },
  );

  const LINE = 'A heron waits in the river for a fish.';
  const ANSWERS = [
    ['an HTML document', `<!doctype html>\n<html><head><title>A</title></head><body>${LINE}</body></html>\n`],
    ['a text with front matter', `---\ntitle: A\n---\n\n${LINE}`],
    ['a text that begins with U+FEFF', `\ufeff${LINE}`],
    ['a text with a lone surrogate', `\ud800 ${LINE}`],
  ] as const;
  const WAYS = ['generate', 'stream'] as const;

  it.each(ANSWERS.flatMap(([name, text]) => WAYS.map((way) => [name, way, text] as const)))(
    'with `mark`, %s of %sText gets invisible marks that verify',
    async (_, way, answer) => {
      const text = `${answer} By ${way}.`;
      const model = await wrap(text, { mark: true });
      const said = await model[way]();
      expect(model.failures).toEqual([]);
      expect(said.startsWith(text)).toBe(true);
      expect(said.slice(text.length)).toMatch(/^\ufeff[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{1000,}$/u);
      const body = new FormData();
      body.set('file', new Blob([said]), 'pasted');
      const verdict = await (await service.send('/v1/media/verify', { method: 'POST', body })).json();
      expect(verdict).toMatchObject({ validation: { state: 'valid' }, aiDetection: { isAIGenerated: true } });
    },
  );

  const INVALID_WITH_MARKS = [
    ['JSON', `{"said": "${LINE}"}`],
    ['an SVG picture', `<svg xmlns="http://www.w3.org/2000/svg"><title>${LINE}</title></svg>`],
    ['XML', `<?xml version="1.0"?><said>${LINE}</said>`],
  ] as const;

  it.each(INVALID_WITH_MARKS.flatMap(([name, text]) => WAYS.map((way) => [name, way, text] as const)))(
    'with `mark`, %s of %sText is recorded without marks, and the application gets an error',
    async (_, way, answer) => {
      const text = answer.replace('heron', `heron of ${way}`);
      const model = await wrap(text, { mark: true });
      expect(await model[way]()).toBe(text);
      expect(model.failures).toHaveLength(1);
      expect(model.recorded).toHaveLength(1);
    },
  );

  it('returns the generated text even if the recording fails', async () => {
    const client = createClient({ url: 'http://127.0.0.1:9', apiKey: KEY, maxRetries: 0 });
    for (const way of ['generate', 'stream'] as const) {
      const model = await wrap('Said all the same', { client });
      expect(await model[way]()).toBe('Said all the same');
      expect(model.failures).toHaveLength(1);
    }
  });
});
