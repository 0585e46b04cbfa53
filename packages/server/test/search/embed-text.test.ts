import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextEmbedder } from '../../src/search/embed-text.js';

const VECTOR = JSON.stringify({ data: [{ embedding: [3, 4] }] });
const CHUNK = Buffer.alloc(2 ** 16, ' ');
const CHUNKS = 160;

describe('the embedder that uses a provider', () => {
  let provider: Server;
  let sentBytes = 0;
  beforeAll(async () => {
    provider = createServer((request, response) => {
      if (request.url === '/moved/embeddings')
        return response.writeHead(307, { location: '/embeddings' }).end();
      if (request.url === '/embeddings') return response.end(VECTOR);
      let left = CHUNKS;
      const send = () => {
        while (left-- > 0) {
          sentBytes += CHUNK.length;
          if (!response.write(CHUNK)) return void response.once('drain', send);
        }
        response.end(VECTOR);
      };
      send();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => provider.once('listening', resolve));
  });
  afterAll(() => provider.close());

  const embed = (path: string) => {
    const { port } = provider.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}${path}`;
    return createTextEmbedder({ url, model: 'm', apiKey: undefined }).embed('text');
  };

  it('returns a unit vector', async () => {
    expect(Array.from(await embed(''), (value) => Math.round(value * 10) / 10)).toEqual([0.6, 0.8]);
  });

  it('follows no redirect, and stops reading an answer that is too long', async () => {
    await expect(embed('/moved')).rejects.toMatchObject({ code: 'EmbeddingFailed' });
    await expect(embed('/long')).rejects.toMatchObject({ code: 'EmbeddingFailed' });
    expect(sentBytes).toBeLessThan(CHUNK.length * CHUNKS);
  });
});
