import { createHash } from 'node:crypto';
import {
  mapRoot,
  type ProvenBundle,
  parseTrustedLog,
  type TrustedLog,
  toBase64,
  verifyBundle,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import { readProvenBundle } from '../../src/records/read/prove-bundle.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { createMigratedDatabase } from '../support/postgres.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const verify = createVerifySignature();

describe('a proven bundle', () => {
  let service: Service;
  let trusted: TrustedLog;

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await post('/v1/entity', {
      id: 'ann',
      role: 'human',
      name: 'Ann',
      metadata: { n: 1.5, deep: [{ a: 1 }] },
    });
    trusted = parseTrustedLog((await json('/v1/log')).verifierKey) as TrustedLog;
  }, 60_000);
  afterAll(() => service.stop());

  const json = async (path: string) => (await service.send(path)).json();
  const post = async (path: string, body: object) => (await service.send(path, jsonPost(body))).json();
  const upload = async (content: string, inputCids: string[] = []): Promise<string> => {
    const action = { type: inputCids.length === 0 ? 'create' : 'transform', inputCids };
    const answer = await (
      await service.upload(content, { entity: { id: 'ann', role: 'human' }, action })
    ).json();
    return answer.cid;
  };
  const prove = async (cid: string, query = ''): Promise<ProvenBundle> =>
    json(`/v1/bundle/${cid}?proof=true${query}`);

  it('verifies without the service, and states how many actions name each content', async () => {
    const source = await upload('a source');
    const made = await upload('made from it', [source]);
    await upload('made from it too', [source]);
    const bundle = await prove(made);
    const report = verifyBundle(bundle, trusted, verify);
    expect(report).toMatchObject({ verified: true, cid: made, complete: true, records: 5 });
    expect(bundle.proof.mentions.byName[source]).toMatchObject({ made: { count: 1 }, used: { count: 2 } });
    expect(bundle.proof.mentions.byName[made]).toMatchObject({ made: { count: 1 }, used: { count: 0 } });
    const plain = await json(`/v1/bundle/${made}`);
    const { proof: _, ...shown } = bundle;
    expect(shown).toEqual(plain);
  });

  it.each(['ancestors', 'descendants', 'both'])('verifies in any direction: %s', async (direction) => {
    const source = await upload(`source of ${direction}`);
    const middle = await upload(`middle of ${direction}`, [source]);
    const end = await upload(`end of ${direction}`, [middle]);
    for (const cid of [source, middle, end]) {
      const bundle = await prove(cid, `&direction=${direction}`);
      expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, complete: true });
    }
    const cut = await prove(end, '&depth=1');
    expect(verifyBundle(cut, trusted, verify)).toMatchObject({ verified: true, complete: false });
  });

  it('counts the actions of a content separately for its CID and its alias', async () => {
    const bytes = 'x'.repeat(3 * 2 ** 20);
    const digest = createHash('sha256').update(bytes).digest('hex');
    await service.send('/v1/action', jsonPost({ performedBy: 'ann', inputCids: [`sha256:${digest}`] }));
    const cid = await upload(bytes);
    const bundle = await prove(cid, '&direction=descendants');
    expect(bundle.actions).toHaveLength(1);
    const [alias = ''] = Object.keys(bundle.aliases ?? {});
    expect(bundle.proof.mentions.byName[alias]).toMatchObject({ used: { count: 1 } });
    expect(bundle.proof.mentions.byName[cid]).toMatchObject({ made: { count: 1 }, used: { count: 0 } });
    expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true });
  });

  it('adds a leaf to the log only after new recordings', async () => {
    const cid = await upload('asked for twice');
    const { size } = await json('/v1/log');
    const first = await prove(cid);
    expect(await prove(cid)).toEqual(first);
    expect((await json('/v1/log')).size).toBe(size + 1);
    expect(first.proof.mentions).toMatchObject({ leafIndex: size, statement: { leaves: size } });
    await upload('something else');
    expect((await prove(cid)).proof.mentions.statement.names).toBe(first.proof.mentions.statement.names + 2);
  });

  it('is rejected after a change of an entity, of a resource or of `complete`', async () => {
    const source = await upload('a source of forgeries');
    const cid = await upload('forged', [source]);
    const bundle = await prove(cid);
    const text = JSON.stringify(bundle);
    for (const [before, after] of [
      ['"a":1', '"a":2'],
      ['"state":"claimed"', '"state":"referenced"'],
      ['"complete":true', '"complete":false'],
    ] as const) {
      expect(text).toContain(before);
      const forged = JSON.parse(text.replace(before, after));
      expect(verifyBundle(forged, trusted, verify)).toEqual({ verified: false, code: 'badBundleSignature' });
    }
  });

  it('has a proof for the canonical identifier of a content that the actions name only by an alias', async () => {
    const source = await upload('the source of a large content');
    const large = 'b'.repeat(1_100_000);
    const outputCids = [`sha256:${createHash('sha256').update(large).digest('hex')}`];
    await service.send('/v1/action', jsonPost({ performedBy: 'ann', inputCids: [source], outputCids }));
    expect((await service.upload(large)).status).toBe(201);
    const bundle = await prove(source, '&direction=descendants');
    const [[alias = '', canonical = ''] = []] = Object.entries(bundle.aliases ?? {});
    expect(bundle.actions.flatMap((action) => action.outputCids)).toContain(alias);
    expect(bundle.proof.mentions.byName[canonical]).toMatchObject({ used: { count: 0 } });
    expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, complete: true });
  });

  it('verifies after personal data was erased', async () => {
    const entity = { id: 'eve/~1', role: 'human', name: 'Eve', metadata: { a: 1 } };
    const extensions = { 'ext:ai@1.0.0': { provider: 'Acme', model: 'm', prompt: 'words' } };
    const answer = await service.upload('to be erased', {
      entity,
      action: { extensions },
      attribution: { note: 'n' },
    });
    const { cid } = await answer.json();
    expect(verifyBundle(await prove(cid), trusted, verify)).toMatchObject({ verified: true });
    const erased = await service.send(`/v1/entity/${encodeURIComponent(entity.id)}/personal-data`, {
      method: 'DELETE',
    });
    expect(erased.status).toBe(200);
    const bundle = await prove(cid);
    expect(JSON.stringify(bundle)).not.toContain('words');
    expect(bundle.proof.records.filter((one) => one.erased !== undefined)).toHaveLength(3);
    expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, records: 3 });
  });

  it('verifies after the erasure of an entity without personal data', async () => {
    const entity = { id: 'tool-1', role: 'ai' };
    const { cid } = await (await service.upload('by a tool', { entity })).json();
    const erased = await service.send('/v1/entity/tool-1/personal-data', { method: 'DELETE' });
    expect(erased.status).toBe(200);
    const bundle = await prove(cid);
    expect(bundle.entities).toMatchObject([{ id: 'tool-1' }]);
    expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true });
  });

  it('is not found by another project', async () => {
    const cid = await upload('of project one');
    const authorization = `Bearer ${OTHER_KEY}`;
    const theirs = await service.send(`/v1/bundle/${cid}?proof=true`, { headers: { authorization } });
    const never = await service.send(
      '/v1/bundle/bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy?proof=true',
      { headers: { authorization } },
    );
    expect([theirs.status, never.status]).toEqual([404, 404]);
  });
});

describe('a bundle in another format', () => {
  it('is selected by `format` or Accept, and cannot contain a proof', async () => {
    const service = await startService(ANY_ENGINE);
    const { cid } = await (await service.upload('exported')).json();
    const ask = async (query: string, accept?: string) => {
      const headers = accept === undefined ? {} : { headers: { accept } };
      const answer = await service.send(`/v1/bundle/${cid}${query}`, headers);
      return {
        type: answer.headers.get('content-type') ?? '',
        status: answer.status,
        body: await answer.json(),
      };
    };
    for (const crate of [await ask('?format=ro-crate'), await ask('', 'application/ld+json')]) {
      expect(crate.type).toContain('application/ld+json');
      expect(crate.body['@graph'][0]['@id']).toBe('ro-crate-metadata.json');
    }
    for (const prov of [await ask('?format=prov-json'), await ask('', 'application/prov+json, */*;q=0.1')]) {
      expect(prov.type).toContain('application/prov+json');
      expect(prov.body.entity).toHaveProperty([`ipfs:${cid}`]);
    }
    expect((await ask('', 'application/json, application/ld+json;q=0.5')).body.cid).toBe(cid);
    expect((await ask('', '*/*')).body.cid).toBe(cid);
    expect((await ask('', 'text/plain')).status).toBe(406);
    expect((await ask('?format=ro-crate&proof=true')).status).toBe(400);
    await service.stop();
  });
});

describe('the first proof of a large log', () => {
  it('verifies, and lets other tasks run between its parts', async () => {
    const service = await startService(ANY_ENGINE);
    const cids = Array.from({ length: 1_060 }, (_, n) => `sha256:${n.toString(16).padStart(64, '0')}`);
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
    for (const part of [cids.slice(0, 1_000), cids.slice(1_000)]) {
      const actions = part.map((cid) => ({ performedBy: 'ann', outputCids: [cid] }));
      expect((await service.send('/v1/batch', jsonPost({ actions }))).status).toBe(201);
    }
    let turns = 0;
    const signer = toLogSigner(createSigner('07'.repeat(32)));
    const deps = {
      provenance: service.context.databases.provenance,
      signer,
      service: 'localhost',
      readAnchoredLeaf: async () => undefined,
      completeNodes: createCompleteNodes(service.context.databases.provenance, (_, run) => run()),
      limitConcurrency: <T>(_: string, run: () => Promise<T>) => {
        turns++;
        return run();
      },
    };
    const [first = ''] = cids;
    const options = { cid: first, direction: 'ancestors', depth: undefined, limit: 10 } as const;
    const { actions } = await (await service.send(`/v1/bundle/${first}`)).json();
    const [cid] = actions[0].outputCids;
    const bundle = await readProvenBundle(deps, namedProjectId('one'), { ...options, cid });
    const trusted = { publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
    expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, coveredLeaves: 2_121 });
    expect(turns).toBeGreaterThan(4);
    expect(turns).toBeLessThan(12);
    await service.stop();
  }, 120_000);
});

describe('the map of names', () => {
  it('built gradually by two nodes at the same time is the same as the map built in one step', async () => {
    const environment = {
      DATABASE_URL: await createMigratedDatabase(inject('postgresUrl'), 'proving nodes'),
      SERVER_SIGNING_KEY: '07'.repeat(32),
      WORK_MAX_WAIT_MS: '60000',
    };
    const nodes = [
      await startService(ANY_ENGINE, { environment }),
      await startService(ANY_ENGINE, { environment }),
    ] as const;
    try {
      const [first] = nodes;
      await first.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
      const { verifierKey } = await (await first.send('/v1/log')).json();
      const contents = Array.from({ length: 60 }, (_, n) => `sha256:${n.toString(16).padStart(64, '0')}`);
      const record = async (n: number) => {
        const body = { performedBy: 'ann', inputCids: contents.slice(0, n), outputCids: [contents[n]] };
        return (nodes[n % 2] as Service).send('/v1/action', jsonPost(body));
      };
      await Promise.all(contents.map((_, n) => record(n)));
      const trusted = parseTrustedLog(verifierKey) as TrustedLog;
      const bundles = await Promise.all(
        contents.flatMap((cid) =>
          nodes.map(async (node) => (await node.send(`/v1/bundle/${cid}?proof=true&direction=both`)).json()),
        ),
      );
      for (const bundle of bundles) {
        const report = verifyBundle(bundle, trusted, verify);
        expect(report, JSON.stringify(bundle).slice(0, 300)).toMatchObject({
          verified: true,
          complete: true,
        });
      }
      const rows = await first.context.databases.provenance.query<{ key: string; hash: string }>(
        `select encode(name_key, 'hex') as key, encode(leaf_hash, 'hex') as hash
         from provenance.record_map_entry order by name_key`,
      );
      const root = mapRoot(
        rows.map(({ key, hash }) => ({ key: Buffer.from(key, 'hex'), hash: Buffer.from(hash, 'hex') })),
      );
      // A key for each of 60 contents, and for each of 60 actions, because each action has an attribution.
      expect(rows).toHaveLength(120);
      const newest = bundles.map(({ proof }) => proof.mentions).sort((a, b) => b.leafIndex - a.leafIndex)[0];
      expect(newest.statement.root).toBe(toBase64(root));
    } finally {
      for (const node of nodes) await node.stop();
    }
  }, 120_000);
});
