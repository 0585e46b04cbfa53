import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type JsonObject,
  parseCheckpoint,
  parseTrustedLog,
  type TreeHead,
  type TrustedLog,
  verifyConsistency,
  verifyDocument,
  verifyInclusion,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { createDatabase } from '../support/postgres.js';
import { runCli } from '../support/run-cli.js';
import { type Service, STORAGE_ENGINES, startService } from '../support/service.js';
import { hashFiles } from './hash-files.js';

const verify = createVerifySignature();
const CORPORA = fileURLToPath(new URL('corpus/', import.meta.url));
const versions = readdirSync(CORPORA).filter((name) => /^v\d+$/.test(name));
const KEY_OF_CORPUS = 'bench-key-of-project-one';

/** Results of `hashFiles`. A corpus never changes, so change no line. Add a line for a new corpus. */
const PINNED: Record<string, string> = {
  v1: '96f21921b2859c77bea5f7161ac878bc85b977d70647be90b70d30774d121083',
};

interface ExportedBundle {
  actions: { id: string; digest: string }[];
  entities: { id: string }[];
  resources: { cid: string }[];
}

const toBytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

it('the repository has the corpus of version 1', () => {
  expect(versions).toContain('v1');
});

describe.each(versions)('corpus %s', (version) => {
  const directory = path.join(CORPORA, version);
  const readText = (name: string) => readFileSync(path.join(directory, name), 'utf8');
  const readJson = (name: string) => JSON.parse(readText(name));
  const trusted = parseTrustedLog(readJson('log.json').verifierKey) as TrustedLog;
  const checkpoints = readdirSync(path.join(directory, 'checkpoints')).map((name) => {
    const checkpoint = parseCheckpoint(readText(`checkpoints/${name}`));
    if (checkpoint === undefined) throw new Error(name);
    return checkpoint;
  });
  const headOf = (size: number): TreeHead => {
    const head = checkpoints.find((one) => one.size === size);
    if (head === undefined) throw new Error(`no checkpoint of ${size} leaves`);
    return head;
  };
  const last = checkpoints[checkpoints.length - 1] as TreeHead;
  const expected: Record<string, { anchored?: boolean }> = readJson('expected.json');

  it('has all files that its list names, and no others', () => {
    const files = ['receipts', 'bundles'].flatMap((folder) =>
      readdirSync(path.join(directory, folder)).map((name) => `${folder}/${name}`),
    );
    expect(files.sort()).toEqual(Object.keys(expected).sort());
    expect(files.length).toBeGreaterThanOrEqual(15);
  });

  it.each(Object.entries(expected))('%s verifies, also strictly', (name, { anchored, ...facts }) => {
    const { report } = verifyDocument(readText(name), trusted, verify, { strict: true });
    expect(report).toMatchObject({ verified: true, warnings: [], ...facts });
    if (anchored !== undefined) expect('anchor' in report && report.anchor !== null).toBe(anchored);
  });

  it('has consistency and inclusion proofs that verify', () => {
    const { consistency, inclusion } = readJson('proofs.json');
    for (const { from, to, consistencyPath } of consistency)
      expect(verifyConsistency(headOf(from), headOf(to), consistencyPath.map(toBytes))).toBe(true);
    for (const { leafIndex, leafHash, inclusionPath } of inclusion) {
      const leaf = { leafIndex, leafHash: toBytes(leafHash), path: inclusionPath.map(toBytes) };
      expect(verifyInclusion(leaf, last)).toBe(true);
    }
  });

  it('has exports with the ids of the actions, entities and contents of the bundle, and the action digests', () => {
    const bundle: ExportedBundle = readJson('exports/bundle.json');
    const digests = bundle.actions.map(({ id, digest }) => [`action:${id}`, digest]);
    expect(digests.length).toBeGreaterThan(1);
    const prov = readJson('exports/prov-json.json');
    const activities = Object.entries<JsonObject>(prov.activity);
    expect(activities.map(([id, one]) => [id, one['colophon:digest']]).sort()).toEqual(digests.sort());
    expect(Object.keys(prov.entity).sort()).toEqual(bundle.resources.map(({ cid }) => `ipfs:${cid}`).sort());
    const agents = bundle.entities.map(({ id }) => encodeURIComponent(id)).sort();
    expect(Object.keys(prov.agent).sort()).toEqual(agents.map((id) => `entity:${id}`));

    const graph: JsonObject[] = readJson('exports/ro-crate.json')['@graph'];
    const idsOf = (prefix: string) =>
      graph
        .map((node) => String(node['@id']))
        .filter((id) => id.startsWith(prefix))
        .sort();
    expect(idsOf('ipfs://')).toEqual(bundle.resources.map(({ cid }) => `ipfs://${cid}`).sort());
    expect(idsOf('urn:uuid:')).toEqual(bundle.actions.map(({ id }) => `urn:uuid:${id}`).sort());
    expect(idsOf('urn:colophon:entity:')).toEqual(agents.map((id) => `urn:colophon:entity:${id}`));
  });

  it('is unchanged', () => {
    expect(hashFiles(directory)).toBe(PINNED[version]);
  });

  describe.each(STORAGE_ENGINES.filter((engine) => !engine.includes('memory')))(
    'restored to %s',
    (engine) => {
      const place = mkdtempSync(path.join(tmpdir(), 'colophon-corpus-'));
      let service: Service;
      const ask = async (route: string) => {
        const answer = await service.send(route, { headers: { authorization: `Bearer ${KEY_OF_CORPUS}` } });
        expect(answer.status, route).toBe(200);
        return answer.json();
      };

      beforeAll(async () => {
        const environment: Record<string, string> = {
          PUBLIC_URL: 'https://corpus.example.org',
          API_KEYS: `${KEY_OF_CORPUS}:one`,
          AUDIT_INTERVAL_MINUTES: '0',
          DATA_DIR: path.join(place, 'data'),
          ...(engine === 'PostgreSQL' ? { DATABASE_URL: await createDatabase(inject('postgresUrl')) } : {}),
        };
        const restored = await runCli(['restore', path.join(directory, 'backup')], environment);
        expect(restored).toMatchObject({ status: 0, stderr: '' });
        service = await startService(engine, { environment });
      }, 60_000);
      afterAll(async () => {
        await service?.stop();
        rmSync(place, { recursive: true, force: true });
      });

      it('continues the log of the corpus', async () => {
        const { size } = await ask('/v1/log');
        expect(size).toBeGreaterThanOrEqual(last.size);
        const { consistencyPath } = await ask(`/v1/log/consistency?from=${last.size}&to=${size}`);
        const text = await service.send('/v1/log/checkpoint', {
          headers: { authorization: `Bearer ${KEY_OF_CORPUS}` },
        });
        const present = parseCheckpoint(await text.text());
        expect(present && verifyConsistency(last, present, consistencyPath.map(toBytes))).toBe(true);
      });

      it.each(Object.keys(expected).filter((name) => name.startsWith('receipts/')))(
        'gives a receipt of the same leaf for %s',
        async (name) => {
          const { record, log } = readJson(name);
          const { leafHash } = await ask(`/v1/log/inclusion?leafIndex=${log.leafIndex}&size=${last.size}`);
          expect(leafHash).toBe(log.leafHash);
          const receipt = await ask(`/v1/${record.kind}/${encodeURIComponent(record.body.id)}/receipt`);
          const key = parseTrustedLog((await ask('/v1/log')).verifierKey) as TrustedLog;
          expect(verifyDocument(JSON.stringify(receipt), key, verify).report).toMatchObject({
            verified: true,
          });
          if (receipt.log.leafIndex === log.leafIndex) expect(receipt.record.digest).toBe(record.digest);
        },
      );
    },
  );
});
