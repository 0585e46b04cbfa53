import { spawnSync } from 'node:child_process';
import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import {
  leafHash,
  parseCheckpoint,
  parseTrustedLog,
  parseVerifierKey,
  verifyInclusion,
} from '@colophon/model';
import { decode } from 'cborg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { HAS_PYTHON_COSE, PYTHON } from '../support/programs.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import { VERIFY_COSE } from './python-tool.js';

const verify = createVerifySignature();
function decodeSign1(bytes: Uint8Array) {
  const options = { useMaps: true, tags: { 18: (inner: () => unknown) => inner() } };
  const [header, unprotectedHeader, payload, signature] = decode(bytes, options as never);
  return {
    header,
    protectedHeader: decode(header, { useMaps: true }),
    unprotectedHeader,
    payload,
    signature,
  };
}

describe('the formats of a receipt', () => {
  let service: Service;
  let log: { origin: string; publicKey: string; verifierKey: string };
  let actionId: string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.send('/v1/entity', jsonPost({ id: 'ann/1', role: 'human', name: 'Ann' }));
    const extensions = { 'ext:ai@1.0.0': { provider: 'Acme', model: 'm', prompt: 'a secret prompt' } };
    for (let count = 0; count < 5; count++) {
      const answer = await service.send('/v1/action', jsonPost({ performedBy: 'ann/1', extensions }));
      ({ actionId } = await answer.json());
    }
    log = await (await service.send('/v1/log')).json();
  });
  afterAll(() => service.stop());

  const get = (accept: string, path = `/v1/action/${actionId}/receipt`) =>
    service.send(path, { headers: { accept } });

  it('are JSON unless another format is preferred', async () => {
    for (const accept of [
      '*/*',
      'application/json',
      'application/cose;q=0.5, application/json',
      'application/*',
    ])
      expect((await get(accept)).headers.get('content-type'), accept).toContain('application/json');
    expect((await get('text/html')).status).toBe(406);
    const answer = await get('text/x.tlog.proof, application/json;q=0.9');
    expect(answer.headers.get('content-type')).toBe('text/x.tlog.proof; charset=utf-8');
    expect(answer.headers.get('vary')).toContain('accept');
  });

  it('a C2SP tlog-proof has the index, the path and the checkpoint of the receipt', async () => {
    const receipt = await (await get('application/json')).json();
    const text = await (await get('text/x.tlog.proof')).text();
    const [first, index, ...rest] = text.split('\n');
    const path = rest.slice(0, rest.indexOf(''));
    const note = rest.slice(rest.indexOf('') + 1).join('\n');
    expect([first, index]).toEqual(['c2sp.org/tlog-proof@v1', `index ${receipt.log.leafIndex}`]);
    const checkpoint = parseCheckpoint(note);
    const inclusion = {
      leafIndex: receipt.log.leafIndex,
      leafHash: leafHash(receipt.record.digest),
      path: path.map((hash) => new Uint8Array(Buffer.from(hash, 'base64'))),
    };
    expect(checkpoint && verifyInclusion(inclusion, checkpoint)).toBe(true);
    expect(text).not.toContain('secret');
  });

  it('a COSE statement is signed once for many requests, until the log changes', async () => {
    const sign = vi.spyOn(crypto, 'sign');
    syncBuiltinESMExports();
    try {
      const count = async () => {
        const before = sign.mock.calls.length;
        const answer = await get('application/cose');
        const bytes = Buffer.from(await answer.arrayBuffer()).toString('hex');
        return { bytes, etag: answer.headers.get('etag'), signatures: sign.mock.calls.length - before };
      };
      await service.send('/v1/action', jsonPost({ performedBy: 'ann/1' }));
      const first = await count();
      // The signatures of the checkpoint, the statement, and the root in the COSE Receipt.
      expect(first.signatures).toBe(3);
      expect(await count()).toEqual({ ...first, signatures: 0 });
      await service.send('/v1/action', jsonPost({ performedBy: 'ann/1' }));
      const later = await count();
      expect([later.signatures, later.etag === first.etag]).toEqual([3, false]);
      const conditional = { accept: 'application/cose', 'if-none-match': later.etag ?? '' };
      const path = `/v1/action/${actionId}/receipt`;
      expect((await service.send(path, { headers: conditional })).status).toBe(304);
    } finally {
      sign.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('a COSE statement holds the committed record, and its receipt leads to the signed root', async () => {
    const receipt = await (await get('application/json')).json();
    const answer = await get('application/cose');
    expect(answer.headers.get('content-type')).toBe('application/cose');
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const statement = decodeSign1(bytes);
    const keyId = Buffer.from(parseVerifierKey(log.verifierKey)?.keyId ?? '', 'hex');
    expect([...statement.protectedHeader.entries()]).toEqual([
      [1, -8],
      [3, 'application/vnd.colophon.record+json'],
      [4, new Uint8Array(keyId)],
      [
        15,
        new Map<number, string>([
          [1, log.origin],
          [2, `action/${actionId}`],
        ]),
      ],
    ]);
    const digest = createHash('sha256').update(statement.payload).digest('hex');
    expect(`sha256:${digest}`).toBe(receipt.record.digest);
    expect(Buffer.from(statement.payload).toString()).not.toContain('secret');
    const [inner] = statement.unprotectedHeader.get(394);
    const { protectedHeader, unprotectedHeader, payload } = decodeSign1(inner);
    expect(protectedHeader.get(395)).toBe(1);
    expect(payload).toBe(null);
    const [proof] = unprotectedHeader.get(396).get(-1);
    const [size, leafIndex, path] = decode(proof);
    const root = parseCheckpoint(receipt.log.checkpoint)?.root ?? new Uint8Array();
    const inclusion = { leafIndex, leafHash: leafHash(receipt.record.digest), path };
    expect(verifyInclusion(inclusion, { size, root })).toBe(true);
    const key = parseTrustedLog(log.verifierKey)?.publicKey ?? new Uint8Array();
    const signature = decodeSign1(inner).signature;
    expect(verify(key, toSignedBytes(inner, root), signature)).toBe(true);
    expect(verify(key, toSignedBytes(bytes, statement.payload), statement.signature)).toBe(true);
  });

  it.runIf(HAS_PYTHON_COSE)(
    'a COSE statement of an action or an entity verifies with cbor2 and cryptography, but not after a change',
    async () => {
      for (const path of [`/v1/action/${actionId}/receipt`, '/v1/entity/ann%2F1/receipt']) {
        const { record } = await (await get('application/json', path)).json();
        const bytes = Buffer.from(await (await get('application/cose', path)).arrayBuffer());
        const run = (input: Buffer) =>
          spawnSync(PYTHON, ['-c', VERIFY_COSE, log.publicKey, log.origin], { input, encoding: 'utf8' });
        expect(run(bytes).stdout).toBe(`${record.digest.slice(7)} ${record.kind}/${record.body.id}\n`);
        for (const at of [
          bytes.length - 1,
          bytes.indexOf('"role"') < 0 ? 120 : bytes.indexOf('"role"'),
          20,
        ]) {
          const forged = Buffer.from(bytes);
          forged[at] = (forged[at] ?? 0) ^ 1;
          expect(run(forged).status, `byte ${at}`).not.toBe(0);
        }
      }
    },
  );

  it('are 404 for an unknown record', async () => {
    for (const accept of ['application/json', 'application/cose', 'text/x.tlog.proof, application/json'])
      expect((await get(accept, '/v1/entity/nobody/receipt')).status, accept).toBe(404);
  });
});

/** RFC 9052 §4.4. */
function toSignedBytes(message: Uint8Array, payload: Uint8Array): Uint8Array {
  const { header } = decodeSign1(message);
  const withHead = (bytes: Uint8Array) => {
    const { length } = bytes;
    const head =
      length < 24 ? [0x40 | length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
    return Buffer.concat([Buffer.from(head), bytes]);
  };
  const context = Buffer.concat([Buffer.of(0x84, 0x6a), Buffer.from('Signature1')]);
  return Buffer.concat([context, withHead(header), Buffer.of(0x40), withHead(payload)]);
}
