import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ProvenBundle, parseTrustedLog, verifyDocument } from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { HAS_PYTHON_CRYPTOGRAPHY, PYTHON } from '../support/programs.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const TOOL = fileURLToPath(new URL('../../../../tools/verify_receipt.py', import.meta.url));
const verify = createVerifySignature();

type ProofV2 = Extract<ProvenBundle['proof'], { version: 2 }>;
type BundleV2 = ProvenBundle & { proof: ProofV2 };

describe('the attributions of a proven bundle', () => {
  let service: Service;
  let key: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'colophon-attributions-'));
    service = await startService(ANY_ENGINE);
    for (const id of ['ann', 'bot']) await post('/v1/entity', { id, role: 'human' });
    key = (await json('/v1/log')).verifierKey;
  }, 60_000);
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const json = async (route: string) => (await service.send(route)).json();
  const post = async (route: string, body: object) => {
    const answer = await service.send(route, jsonPost(body));
    expect(answer.status, await answer.clone().text()).toBe(201);
    return answer.json();
  };
  const attribute = async (targets: object, role: string): Promise<string> =>
    (await post('/v1/attribution', { entityId: 'bot', role, ...targets })).attribution.id;
  const act = async (inputCids: string[], output: string): Promise<{ cid: string; actionId: string }> => {
    const outputCids = [`sha256:${createHash('sha256').update(output).digest('hex')}`];
    const { actionId } = await post('/v1/action', { performedBy: 'ann', inputCids, outputCids });
    const [cid] = (await json(`/v1/action/${actionId}`)).outputCids;
    return { cid, actionId };
  };
  const prove = async (cid: string, query = ''): Promise<BundleV2> =>
    json(`/v1/bundle/${cid}?proof=true${query}`);
  const query = async (text: string, parameters: unknown[]) =>
    service.context.databases.provenance.query(text, parameters);

  /** The verifier in Python must give the same result. */
  function judge(bundle: ProvenBundle): { result: string; unproven?: string[] } {
    const trusted = parseTrustedLog(key);
    if (trusted === undefined) throw new Error(key);
    const { report } = verifyDocument(JSON.stringify(bundle), trusted, verify);
    const result = report.verified ? 'verified' : report.code;
    if (HAS_PYTHON_CRYPTOGRAPHY) {
      const file = path.join(folder, 'bundle.json');
      writeFileSync(file, JSON.stringify(bundle));
      const { stdout } = spawnSync(PYTHON, [TOOL, file, '--key', key], { encoding: 'utf8' });
      const theirs = JSON.parse(stdout);
      expect(theirs.verified ? 'verified' : theirs.code).toBe(result);
      expect(theirs.unproven).toEqual(report.verified && 'unproven' in report ? report.unproven : undefined);
    }
    return { result, ...('unproven' in report ? { unproven: report.unproven } : {}) };
  }

  it('are proven for each action and each content', async () => {
    const source = await act([], 'a source');
    const made = await act([source.cid], 'made from it');
    await attribute({ actionId: made.actionId }, 'contributor');
    await attribute({ resourceCid: source.cid }, 'contributor');
    await attribute({ actionId: source.actionId, resourceCid: source.cid }, 'source');
    const bundle = await prove(made.cid);
    expect(judge(bundle)).toEqual({ result: 'verified', unproven: ['resources', 'recordedAt'] });
    const { byName, byAction } = bundle.proof.mentions;
    const countOf = (member: 'actionId' | 'resourceCid', value: string) =>
      bundle.attributions.filter((one) => one[member] === value).length;
    for (const { cid, actionId } of [source, made]) {
      expect(byAction[actionId]?.attributed.count).toBe(countOf('actionId', actionId));
      expect(byName[cid]?.attributed.count).toBe(countOf('resourceCid', cid));
    }
    expect(bundle.attributions.length).toBeGreaterThanOrEqual(5);
    const { proof: _, ...shown } = bundle;
    expect(shown).toEqual(await json(`/v1/bundle/${made.cid}`));
  });

  it('are unproven in version 1, which a request can select', async () => {
    const { cid } = await act([], 'proven twice');
    const older = await prove(cid, '&proofVersion=1');
    expect(older.proof).toMatchObject({ version: 1, mentions: { statement: { version: 1 } } });
    expect(older.proof.mentions).not.toHaveProperty('byAction');
    expect(judge(older)).toEqual({
      result: 'verified',
      unproven: ['resources', 'recordedAt', 'attributions'],
    });
    expect((await prove(cid, '&proofVersion=2')).proof.version).toBe(2);
    expect((await prove(cid)).proof.version).toBe(2);
    expect((await service.send(`/v1/bundle/${cid}?proof=true&proofVersion=3`)).status).toBe(400);
  });

  it('are proven in both versions, with one leaf per version if there are no new records', async () => {
    const { cid } = await act([], 'asked for in turns');
    const { size } = await json('/v1/log');
    for (const limit of [7, 8, 9])
      for (const version of [1, 2])
        expect(judge(await prove(cid, `&proofVersion=${version}&limit=${limit}`)).result).toBe('verified');
    expect((await json('/v1/log')).size).toBe(size + 2);
  });

  it('are proven after an erasure', async () => {
    const entity = { id: 'eve', role: 'human', name: 'Eve' };
    const { cid } = await (await service.upload('erased', { entity, attribution: { note: 'n' } })).json();
    expect(judge(await prove(cid)).result).toBe('verified');
    expect((await service.send('/v1/entity/eve/personal-data', { method: 'DELETE' })).status).toBe(200);
    expect(judge(await prove(cid)).result).toBe('verified');
  });

  it('include an attribution of an alias beside an equal attribution of the content', async () => {
    const large = 'x'.repeat(1_100_000);
    const elsewhere = { authorization: `Bearer ${OTHER_KEY}` };
    const { cid } = await (await service.upload(large, undefined, elsewhere)).json();
    const alias = `sha256:${createHash('sha256').update(large).digest('hex')}`;
    await post('/v1/action', { performedBy: 'ann', inputCids: [alias] });
    await post('/v1/action', { performedBy: 'ann', inputCids: [cid] });
    await attribute({ resourceCid: alias }, 'creator');
    await attribute({ resourceCid: cid }, 'creator');
    expect((await service.upload(large)).status).toBe(201);
    const bundle = await prove(cid, '&direction=both');
    const ofBot = bundle.attributions.filter(({ entityId }) => entityId === 'bot');
    expect(ofBot).toHaveLength(2);
    expect(judge(bundle).result).toBe('verified');
  });

  describe('with a change in the database after the recording', () => {
    const plant = async (name: string, change: (id: string, actionId: string) => Promise<unknown>) => {
      const made = await act([], name);
      const id = await attribute({ actionId: made.actionId, resourceCid: made.cid }, 'contributor');
      await attribute({ resourceCid: made.cid }, 'source');
      expect(judge(await prove(made.cid)).result).toBe('verified');
      await change(id, made.actionId);
      return judge(await prove(made.cid, '&limit=9')).result;
    };
    const ATTRIBUTION = 'provenance.attribution where id = $1';

    it('do not verify when one is left out', async () => {
      expect(await plant('left out', (id) => query(`delete from ${ATTRIBUTION}`, [id]))).toBe('leftOut');
    });

    it('do not verify when one has another actionId', async () => {
      const { actionId } = await act([], 'another action');
      const move = (id: string) =>
        query(
          `update provenance.attribution set body = jsonb_set(body, '{actionId}', to_jsonb($2::text)) where id = $1`,
          [id, actionId],
        );
      expect(await plant('moved', move)).toBe('digestMismatch');
    });

    it('do not verify when two are in another order', async () => {
      const swap = (id: string) =>
        query(
          `update provenance.attribution t set leaf_index = 2 * m.leaf_index + 1 - t.leaf_index
           from provenance.attribution m where m.id = $1 and t.project_id = m.project_id
             and t.leaf_index in (m.leaf_index, m.leaf_index + 1)`,
          [id],
        );
      expect(await plant('swapped', swap)).toBe('notIncluded');
    });

    it('do not verify when the map has another number of attributions', async () => {
      const count = (_: string, actionId: string) =>
        query(
          `update provenance.record_map_entry m set chains = decode('0000000000000003', 'hex') || substr(chains, 9)
           where m.name_key = sha256(decode('00', 'hex') || convert_to($1, 'UTF8'))`,
          [actionId],
        );
      expect(await plant('counted', count)).toBe('otherMentions');
    });
  });
});
