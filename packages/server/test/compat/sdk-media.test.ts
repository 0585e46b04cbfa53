import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProvenanceKit } from '@provenancekit/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PNG } from '../support/media.js';
import { createMediaClient } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, KEY, type Service, startService } from '../support/service.js';

const CATS = 'The cat sleeps on the warm stone of the harbour wall while the boats come home. '.repeat(3);

/** The vector counts how often each letter occurs. */
function embed(body: string): number[] {
  const { input } = JSON.parse(body) as { input: string };
  return [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => input.toLowerCase().split(letter).length - 1);
}

describe('the ProvenanceKit SDK finds content and reads media', () => {
  let provider: Server;
  let service: Service;
  let pk: ProvenanceKit;
  let signed: Buffer;
  const media = createMediaClient(() => service);
  const entity = { id: 'studio:ann', role: 'human' };
  beforeAll(async () => {
    provider = createServer(async (request, response) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of request) chunks.push(chunk as Uint8Array);
      const data = [{ embedding: embed(Buffer.concat(chunks).toString()) }];
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => provider.once('listening', resolve));
    const { port } = provider.address() as AddressInfo;
    service = await startService(ANY_ENGINE, {
      environment: { EMBEDDINGS_URL: `http://127.0.0.1:${port}/v1`, EMBEDDINGS_MODEL: 'letters' },
    });
    pk = new ProvenanceKit({ baseUrl: service.base, apiKey: KEY });
    await service.send('/v1/entity', jsonPost({ ...entity, name: 'Ann' }));
    const embedded = await media.embed(PNG, { aiDisclosure: 'ai_generated', title: 'Made' });
    signed = await media.bytesOf(embedded.body.cid);
  });
  afterAll(async () => {
    await service.stop();
    provider.close();
  });

  it('uploadAndMatch, similar, searchText, search: find identical and similar content', async () => {
    const { cid } = await pk.file(Buffer.from(CATS), { entity, resourceType: 'text' });
    expect(await pk.uploadAndMatch(Buffer.from(CATS))).toMatchObject({
      verdict: 'auto',
      matches: [{ cid, score: 1 }],
    });
    expect(await pk.uploadAndMatch(Buffer.from(CATS), { type: 'image' })).toEqual({
      verdict: 'no-match',
      matches: [],
    });
    const other = await pk.file(Buffer.from(`${CATS} And so they sleep.`), { entity });
    for (let tries = 0; (await pk.similar(cid)).length === 0; tries++) {
      if (tries === 100) throw new Error('the texts were never described');
      await sleep(100);
    }
    expect(await pk.similar(cid, 3)).toMatchObject([{ cid: other.cid, type: 'text' }]);
    for (let tries = 0; (await pk.search(CATS)).length < 2; tries++) {
      if (tries === 100) throw new Error('the texts were never embedded');
      await sleep(100);
    }
    expect((await pk.searchText(CATS, { topK: 1 })).matches).toMatchObject([{ cid, score: 1 }]);
    expect(await pk.search(CATS, { topK: 1, minScore: 0.9, type: 'text' })).toMatchObject([
      { cid, encrypted: false },
    ]);
    expect(await pk.search(CATS, { type: 'image' })).toEqual([]);
    const encryptionKey = new Uint8Array(32);
    expect(await pk.search(CATS, { topK: 1, encryptionKey })).toMatchObject([{ cid, encrypted: false }]);
  });

  it('searchText, search: find an identical text right after its recording, without a provider', async () => {
    const plain = await startService(ANY_ENGINE);
    try {
      const client = new ProvenanceKit({ baseUrl: plain.base, apiKey: KEY });
      const { cid } = await client.file(Buffer.from('A heron at dawn.'), { entity, resourceType: 'text' });
      expect(await client.search('A heron at dawn.')).toMatchObject([{ cid, score: 1, encrypted: false }]);
      expect(await client.searchText('A heron at dawn.')).toMatchObject({
        verdict: 'auto',
        matches: [{ cid, score: 1, type: 'text' }],
      });
      const long = await client.file(Buffer.from(CATS), { entity });
      await expect.poll(() => client.search(`So it is. ${CATS}`)).toMatchObject([{ cid: long.cid }]);
    } finally {
      await plain.stop();
    }
  });

  it('mediaFormats: lists PNG as a format to read and write', async () => {
    expect(await pk.mediaFormats()).toContainEqual(
      expect.objectContaining({ mimeType: 'image/png', extensions: ['png'], canRead: true, canWrite: true }),
    );
  });

  it('mediaRead, mediaVerify: read a Buffer without a name or media type, and report an altered file', async () => {
    expect(await pk.mediaRead(PNG)).toMatchObject({ hasManifest: false });
    expect(await pk.mediaVerify(PNG)).toMatchObject({ verified: false });
    expect(await pk.mediaRead(signed)).toMatchObject({
      hasManifest: true,
      c2pa: {
        title: 'Made',
        claimGenerator: expect.stringContaining('Studio'),
        validationStatus: { isValid: true },
      },
      resource: { address: { scheme: 'cid' } },
      isAIGenerated: true,
      validationStatus: { isValid: true, errors: [] },
    });
    expect(await pk.mediaVerify(signed)).toMatchObject({ verified: true, errors: [] });
    const altered = Buffer.from(signed);
    const at = altered.indexOf('IDAT') + 8;
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(await pk.mediaVerify(altered)).toMatchObject({ verified: false, error: expect.any(String) });
    expect(await pk.mediaRead(altered)).toMatchObject({ validationStatus: { isValid: false } });
  });

  it('mediaImport, aiCheck: import the actions of a signed file, and report whether AI made a content', async () => {
    const fresh = await startService(ANY_ENGINE);
    try {
      const there = new ProvenanceKit({ baseUrl: fresh.base, apiKey: KEY });
      const imported = await there.mediaImport(signed, { sessionId: 's7' });
      expect(imported).toMatchObject({
        success: true,
        imported: { resource: 1 },
        c2pa: { isAIGenerated: true },
      });
      expect((await there.sessionProvenance('s7')).actions).toHaveLength(imported.imported.actions);
      expect(await there.aiCheck(imported.cid)).toMatchObject({
        hasC2PA: true,
        isAIGenerated: true,
        disclosure: { isAIGenerated: true },
      });
      await expect(there.mediaImport(PNG)).rejects.toMatchObject({ status: 422 });
    } finally {
      await fresh.stop();
    }
    const plain = await pk.file(Buffer.from('by hand'), { entity });
    expect(await pk.aiCheck(plain.cid)).toMatchObject({ hasC2PA: false, isAIGenerated: null });
    const tool = { aiTool: { provider: 'Acme', model: 'painter' } };
    const made = await pk.file(Buffer.from('by tool'), { entity, action: tool });
    expect(await pk.aiCheck(made.cid)).toMatchObject({ isAIGenerated: true, aiTool: 'Acme/painter' });
  });
});
