import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpServer } from '../../src/cli/mcp/http-server.js';
import { PNG } from '../support/media.js';
import { ANY_ENGINE, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const ANN = { role: 'human', name: 'Ann' };

interface Tools {
  client: Client;
  /** Returns the sentence and the data of the answer. */
  call(
    name: string,
    given: object,
  ): Promise<{ says: string; data: Record<string, unknown>; refused: boolean }>;
  stop(): Promise<void>;
}

let service: Service;
const root = mkdtempSync(path.join(tmpdir(), 'colophon-mcp-'));
const outside = mkdtempSync(path.join(tmpdir(), 'colophon-mcp-outside-'));

beforeAll(async () => {
  service = await startService(ANY_ENGINE);
  writeFileSync(path.join(root, 'photo.png'), PNG);
  writeFileSync(path.join(outside, 'secret.txt'), 'not to be sent');
  symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'link.txt'));
});
afterAll(async () => {
  await service.stop();
  rmSync(root, { recursive: true });
  rmSync(outside, { recursive: true });
});

async function connect(transport: Transport, stop: () => Promise<void>): Promise<Tools> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    stop,
    async call(name, given) {
      const { content, structuredContent, isError } = await client.callTool({
        name,
        arguments: { ...given },
      });
      const [first] = content as { text: string }[];
      const data = (structuredContent ?? {}) as Record<string, unknown>;
      return { says: first?.text ?? '', data, refused: isError === true };
    },
  };
}

/** `stop` fails if stdout had anything but the protocol. */
async function overStdio(key = KEY): Promise<Tools> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', '--root', root],
    env: { COLOPHON_URL: service.base, COLOPHON_API_KEY: key },
    stderr: 'inherit',
  });
  const faults: Error[] = [];
  const tools = await connect(transport, async () => {
    await transport.close();
    expect(faults).toEqual([]);
  });
  tools.client.onerror = (error) => faults.push(error);
  return tools;
}

async function listen(): Promise<{ address: string; close(): Promise<void> }> {
  const server = createHttpServer({ url: service.base, version: '0.0.0', allowedHosts: [] });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { address: `http://127.0.0.1:${port}/mcp`, close };
}

async function overHttp(key = KEY): Promise<Tools> {
  const { address, close } = await listen();
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  return connect(transport as Transport, async () => {
    await transport.close();
    await close();
  });
}

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
])('the tools over %s', (name, open) => {
  let tools: Tools;
  beforeAll(async () => {
    tools = await open();
  });
  afterAll(() => tools.stop());

  it('have names, descriptions, and schemas of input and output', async () => {
    const { tools: listed } = await tools.client.listTools();
    const names = ['record', 'mark', 'find', 'verify', 'explain', 'shares', 'credentials', 'publish'];
    expect(listed.map((tool) => tool.name)).toEqual(names);
    for (const { name: tool, description, inputSchema, outputSchema } of listed) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object' });
      const { by, ...fields } = (inputSchema.properties ?? {}) as Record<string, unknown>;
      expect('path' in fields, tool).toBe(name === 'stdio' && tool !== 'publish');
      if (tool === 'record') expect(JSON.stringify(by)).toContain('"enum":["human","ai","organization"]');
    }
  });

  it('accept a CID instead of the content, to find and to verify', async () => {
    const { cid } = (await tools.call('record', { text: `named over ${name}`, by: ANN })).data;
    expect((await tools.call('verify', { cid })).data).toMatchObject({ verified: true, cid });
    expect((await tools.call('find', { cid })).refused).toBe(false);
    const unknown = await tools.call('verify', { cid: `sha256:${'ef'.repeat(32)}` });
    expect(unknown.data).toMatchObject({ verified: false, reason: 'notRecorded' });
    expect((await tools.call('verify', { cid, text: 'too much' })).says).toMatch(/Send exactly one of these/);
  });

  it('mark content, and report each layer', async () => {
    const { entityId } = (await tools.call('record', { text: `a source over ${name}`, by: ANN })).data;
    const said = { entityId, generator: 'Poet', aiDisclosure: 'ai_generated' };
    const { data, says } = await tools.call('mark', { text: `marked over ${name}`, ...said });
    expect(says).toMatch(/manifest added, fingerprint (pending|unavailable), log added/);
    const content = await (await service.send(String(data.contentUrl))).text();
    expect(content).toMatch(new RegExp(`^marked over ${name}.`, 'u'));
    const refused = await tools.call('mark', { text: 'x', ...said, entityId: 'none' });
    expect(refused.says).toMatch(/NotFound.*none/);
  });

  it('compute shares, publish, and report a file without Content Credentials', async () => {
    const { cid, entityId } = (await tools.call('record', { text: `owned over ${name}`, by: ANN })).data;
    const shares = await tools.call('shares', { cid, policy: 'all-ancestors', total: 7 });
    expect(shares.data).toMatchObject({ total: 7, shares: [{ entityId, share: 7 }] });
    expect(shares.says).toBe(`Of 7 for ${cid}: "${entityId}" 7.`);

    const { data } = await tools.call('publish', { cid, title: 'Ours', hideAll: true, days: 2 });
    expect(data.link).toBe(`${service.base}/app/p/${data.id}`);
    const history = await (await fetch(`${service.base}/app/api/public/${data.id}`)).json();
    expect(history).toMatchObject({ title: 'Ours' });
    expect(JSON.stringify(history)).not.toContain('Ann');

    const credentials = await tools.call('credentials', { base64: PNG.toString('base64') });
    expect(credentials.data).toMatchObject({ hasManifest: false, validation: null });
    expect(credentials.says).toContain('carries no Content Credentials');
  });

  it('give content the title that the agent sends, and none without a title and a file name', async () => {
    const titleOf = async (more: object) => {
      const text = `titled over ${name} ${JSON.stringify(more)}`;
      const { cid } = (await tools.call('record', { text, by: ANN, ...more })).data;
      return (await (await service.send(`/v1/resource/${cid}`)).json()).title;
    };
    expect(await titleOf({ title: 'A poem' })).toBe('A poem');
    expect(await titleOf({ fileName: 'poem.txt' })).toBe('poem.txt');
    expect(await titleOf({})).toBeUndefined();
  });

  it('record a text, find it, verify it and explain it', async () => {
    const text = `A poem that came over ${name}`;
    const recorded = await tools.call('record', { text, by: ANN });
    const { cid } = recorded.data;
    expect(recorded.data).toMatchObject({ alreadyRecorded: false, state: 'claimed', size: text.length });
    expect(recorded.says).toBe(
      `Recorded as ${cid} (text/plain, ${text.length} bytes) by ${recorded.data.entityId}; action ${recorded.data.actionId}.`,
    );

    const found = await tools.call('find', { text });
    expect(found.data).toMatchObject({ verdict: 'exact', matches: [{ cid, score: 1 }] });
    expect(found.says).toContain(`This content is recorded: ${cid}`);

    const byText = await tools.call('find', { query: text });
    expect(byText.data.matches).toContainEqual(expect.objectContaining({ cid }));

    const verified = await tools.call('verify', { text });
    expect(verified.data).toMatchObject({ verified: true, cid, trust: 'service' });
    expect(verified.says).toMatch(/^Verified: /);
    const { verifierKey } = (await (await service.send('/v1/log')).json()) as { verifierKey: string };
    const trusting = await tools.call('verify', { text, trustedLog: verifierKey });
    expect(trusting.data).toMatchObject({ verified: true, trust: 'given' });

    const made = await tools.call('record', {
      base64: Buffer.from(`A translation over ${name}`).toString('base64'),
      by: { role: 'ai', name: 'Translator' },
      type: 'generate',
      inputCids: [cid],
      aiTool: { provider: 'Acme', model: 'tongues-2' },
    });
    const explained = await tools.call('explain', { cid: made.data.cid });
    expect(explained.data).toMatchObject({
      complete: true,
      steps: [
        { type: 'create', name: 'Ann', role: 'human', outputCids: [cid] },
        { type: 'generate', name: 'Translator', role: 'ai', aiTool: 'Acme tongues-2', inputCids: [cid] },
      ],
    });
    expect(explained.says).toContain('create by "Ann" (human)');
    const same = await tools.call('explain', { text, direction: 'descendants' });
    expect(same.data.steps).toMatchObject([{ type: 'generate' }]);
  });

  it('return the CID of known content, and record nothing', async () => {
    const given = { text: `twice over ${name}`, by: ANN };
    const first = await tools.call('record', given);
    const second = await tools.call('record', { ...given, by: { role: 'human', name: 'Bob' } });
    expect(second).toMatchObject({
      refused: false,
      data: { alreadyRecorded: true, cid: first.data.cid, actionId: first.data.actionId },
    });
  });

  it('report unrecorded content as not verified, and find no copy of it', async () => {
    const text = `Seven swans that nobody recorded over ${name} swam under a bridge of stone, and none of them
      looked back when the miller called from his window that bread was cheap, flour dear and winter near; they had
      heard him say so every autumn since the river was first dammed, and had grown fat all the same.`;
    const verdict = await tools.call('verify', { text });
    expect(verdict).toMatchObject({ refused: false, data: { verified: false, reason: 'notRecorded' } });
    expect(await tools.call('find', { text })).toEqual({
      refused: false,
      says: 'No copy of this content was found.',
      data: { verdict: 'no-match', matches: [] },
    });
  });

  it.each([
    ['no content', 'verify', {}, /Send exactly one of these/],
    ['two contents', 'record', { text: 'a', base64: 'YQ==', by: ANN }, /Send the content exactly once/],
    ['invalid base64', 'verify', { base64: 'a*b' }, /not base64/],
    [
      'an unknown CID',
      'explain',
      { cid: 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5f' },
      /: /,
    ],
    [
      'an unknown role',
      'record',
      { text: 'by a dog', by: { role: 'dog', name: 'Rex' } },
      /ValidationError: .*role/,
    ],
    ['an unknown field', 'record', { text: 'x', by: ANN, author: 'Ann' }, /author/],
    ['nothing to find', 'find', {}, /Send exactly one of these/],
    ['nothing to explain', 'explain', {}, /Send exactly one of these/],
  ])('reject %s, with the next step', async (_what, tool, given, says) => {
    const { refused, says: said } = await tools.call(tool, given);
    expect(said).toMatch(says);
    expect(refused).toBe(true);
  });

  it('cannot explain content of another project', async () => {
    const { data } = await tools.call('record', { text: `a secret over ${name}`, by: ANN });
    const others = await open(OTHER_KEY);
    const explained = await others.call('explain', { cid: data.cid });
    const unknown = await others.call('explain', { cid: `sha256:${'ab'.repeat(32)}` });
    expect(explained.says.slice(0, 9)).toBe('NotFound:');
    expect(unknown.says.slice(0, 9)).toBe('NotFound:');
    await others.stop();
  });

  it('report that the service rejects the key', async () => {
    const strangers = await open('wrong-key');
    expect(await strangers.call('verify', { text: 'anything' })).toMatchObject({
      refused: true,
      says: expect.stringMatching(/^Unauthorized: /),
    });
    await strangers.stop();
  });
});

describe('paths', () => {
  it('are read over stdio, but only within the root', async () => {
    const tools = await overStdio();
    const recorded = await tools.call('record', { path: 'photo.png', by: ANN });
    expect(recorded.data).toMatchObject({ mimeType: 'image/png', size: PNG.length });
    expect((await tools.call('verify', { path: path.join(root, 'photo.png') })).data.verified).toBe(true);
    expect((await tools.call('find', { path: 'photo.png' })).data.verdict).toBe('exact');
    for (const astray of [path.join(outside, 'secret.txt'), '../secret.txt', 'link.txt', 'none.png', '.']) {
      const refusal = await tools.call('record', { path: astray, by: ANN });
      expect(refusal.refused, astray).toBe(true);
      expect(refusal.says).toMatch(/is not in|Cannot read|is not a file/);
    }
    await tools.stop();
  });

  it('are rejected over HTTP, with the reason', async () => {
    const tools = await overHttp();
    const refusal = await tools.call('record', { path: path.join(root, 'photo.png'), by: ANN });
    expect(refusal).toMatchObject({ refused: true, says: expect.stringContaining('only over stdio') });
    await tools.stop();
  });
});
