import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKuboPinner } from '../../src/blobs/pinning/kubo.js';
import { createPinataPinner } from '../../src/blobs/pinning/pinata.js';
import type { PinContent, Pinner } from '../../src/blobs/pinning/pinner.js';
import {
  ourCid,
  PINATA_JWT,
  type PinningServer,
  startKuboServer,
  startPinataServer,
} from '../support/pinning-servers.js';

const never = new AbortController().signal;

function contentOf(bytes: Buffer): PinContent {
  return {
    cid: ourCid(bytes),
    sizeBytes: bytes.length,
    mimeType: 'image/png',
    async open(range) {
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
      return (async function* () {
        for (let at = 0; at < part.length; at += 10_000) yield part.subarray(at, at + 10_000);
      })();
    },
  };
}

const KINDS: Record<string, { start: () => Promise<PinningServer>; pinner: (url: string) => Pinner }> = {
  kubo: { start: startKuboServer, pinner: (url) => createKuboPinner({ apiUrl: `${url}/` }) },
  pinata: {
    start: startPinataServer,
    pinner: (url) => createPinataPinner({ jwt: PINATA_JWT, gateway: `${url}/ipfs?token=t`, uploadUrl: url }),
  },
  'pinata in pieces': {
    start: startPinataServer,
    pinner: (url) =>
      createPinataPinner({
        jwt: PINATA_JWT,
        gateway: url,
        uploadUrl: url,
        largestFormBytes: 0,
        pieceBytes: 25_000,
      }),
  },
};

describe.each(Object.keys(KINDS))('pinner contract, against a loopback server: %s', (kind) => {
  let server: PinningServer;
  let pinner: Pinner;
  beforeAll(async () => {
    server = (await KINDS[kind]?.start()) as PinningServer;
    pinner = KINDS[kind]?.pinner(server.url) as Pinner;
  });
  afterAll(() => server.close());
  afterEach(() => {
    server.outage = undefined;
    server.cidOf = ourCid;
  });

  it.each([1, 100_000])('sends all %i bytes and returns the CID of the service', async (size) => {
    const bytes = randomBytes(size);
    const { cid, uri } = await pinner.pin(contentOf(bytes), never);
    expect(cid).toBe(ourCid(bytes));
    expect(uri).toContain(cid);
    expect(server.kept.get(cid)?.equals(bytes)).toBe(true);
  });

  it('returns the CID of the service even if it differs from ours', async () => {
    server.cidOf = () => 'QmWmRj3dFDZdb6ABvbmKhEL6TmPbAfBZ1t5BxsEyJrcZhE';
    const { cid } = await pinner.pin(contentOf(randomBytes(10)), never);
    expect(cid).toBe('QmWmRj3dFDZdb6ABvbmKhEL6TmPbAfBZ1t5BxsEyJrcZhE');
  });

  it.each([500, 401, 429, 0])('rejects when the service answers %i', async (status) => {
    server.outage = status;
    await expect(pinner.pin(contentOf(randomBytes(10)), never)).rejects.toThrow();
  });

  it('rejects if its signal is already aborted', async () => {
    const stop = AbortSignal.abort();
    await expect(pinner.pin(contentOf(randomBytes(10)), stop)).rejects.toThrow();
  });

  it('reads the bytes back, and distinguishes absent content from an outage', async () => {
    const bytes = randomBytes(50_000);
    const { cid } = await pinner.pin(contentOf(bytes), never);
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await pinner.read(cid)) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    expect(await pinner.read(ourCid(randomBytes(9)))).toBeUndefined();
    server.outage = 503;
    await expect(pinner.read(cid)).rejects.toMatchObject({ code: 'Unavailable' });
  });
});

describe('requests to each service', () => {
  it('Kubo: the request asks for a pinned tree of profile unixfs-v1-2025', async () => {
    const server = await startKuboServer();
    await createKuboPinner({ apiUrl: server.url }).pin(contentOf(randomBytes(10)), never);
    const { searchParams } = new URL(server.seen[0]?.path ?? '', server.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      'cid-version': '1',
      'raw-leaves': 'true',
      chunker: 'size-1048576',
      'max-file-links': '1024',
      pin: 'true',
    });
    await server.close();
  });

  it('Kubo: an answer without a CID is a failure', async () => {
    const server = await startKuboServer();
    server.cidOf = () => undefined as unknown as string;
    await expect(
      createKuboPinner({ apiUrl: server.url }).pin(contentOf(randomBytes(10)), never),
    ).rejects.toThrow('no hash');
    await server.close();
  });

  it('the message of a failure is one line of at most 200 characters of the response', async () => {
    const server = await startKuboServer();
    server.outage = 500;
    server.outageText = `busy\r\n{"level":"error"}\u0000\u001b[31m\u2028\u202e${'x'.repeat(500)}`;
    const pin = createKuboPinner({ apiUrl: server.url }).pin(contentOf(randomBytes(10)), never);
    const message = await pin.then(
      () => 'pinned',
      (error: Error) => error.message,
    );
    const start = `${new URL(server.url).host} answered 500: `;
    expect(message).toBe(start + `busy {"level":"error"} [31m ${'x'.repeat(500)}`.slice(0, 200));
    await server.close();
  });

  it('Pinata: the request has the JWT, and the URI lacks the token of the gateway', async () => {
    const server = await startPinataServer();
    const account = {
      jwt: PINATA_JWT,
      gateway: 'https://g.example/?pinataGatewayToken=s3cret',
      uploadUrl: server.url,
    };
    const { cid, uri } = await createPinataPinner(account).pin(contentOf(randomBytes(10)), never);
    expect(uri).toBe(`https://g.example/ipfs/${cid}`);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${PINATA_JWT}`);
    await expect(
      createPinataPinner({ ...account, jwt: 'wrong' }).pin(contentOf(randomBytes(10)), never),
    ).rejects.toThrow('401');
    await server.close();
  });
});
