import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { checkPart } from '../../src/integrity/check-part.js';
import { checkTree } from '../../src/integrity/check-tree.js';
import type { IntegrityDeps } from '../../src/integrity/deps.js';
import { type IntegritySettings, startIntegrityCheck } from '../../src/integrity/start-integrity-check.js';
import type { Database } from '../../src/platform/db/database.js';
import { readLogSize } from '../../src/transparency-log/log.sql.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const PROJECT = namedProjectId('one');
const CONTENT = 'bytes that are read again';
/** Nobody uploaded the bytes of this output. */
const EDGE_CID = 'bafkreidxo53xo53xo53xo53xo53xo53xo53xo53xo53xo53xo53xo53xo4';
const OFF = { AUDIT_INTERVAL_MINUTES: '0' };
const POLLING = { timeout: 60_000, interval: 50 };

/** `mend` reverses the alteration. `$1` is the project. */
const ALTERATIONS: { what: string; alter: string; mend: string; found: unknown[] }[] = [
  {
    what: 'a name',
    alter: `update provenance.entity set body = jsonb_set(body, '{name}', '"Eve"') where id = 'ann' and project_id = $1`,
    mend: `update provenance.entity set body = jsonb_set(body, '{name}', '"Ann"') where id = 'ann' and project_id = $1`,
    found: ['entity ann altered'],
  },
  {
    what: 'a salt',
    alter: `update provenance.entity set salts = jsonb_build_object('/name', 'x', 'was', salts)
            where id = 'ann' and project_id = $1`,
    mend: `update provenance.entity set salts = salts->'was' where id = 'ann' and project_id = $1`,
    found: ['entity ann altered'],
  },
  {
    what: 'the digest of an action',
    alter: `update provenance.action set digest = decode(repeat('ab', 32), 'hex'), fingerprint = digest
            where id = '0198c0de-0000-7000-8000-00000000aaaa' and project_id = $1`,
    mend: `update provenance.action set digest = fingerprint
           where id = '0198c0de-0000-7000-8000-00000000aaaa' and project_id = $1`,
    found: [
      'action 0198c0de-0000-7000-8000-00000000aaaa altered',
      'action 0198c0de-0000-7000-8000-00000000aaaa unlogged',
    ],
  },
  {
    what: 'a leaf',
    alter: `update provenance.log_leaf set digest = decode(repeat('cd', 32), 'hex')
            where kind = 'action' and record_id = '0198c0de-0000-7000-8000-00000000aaaa' and project_id = $1`,
    mend: `update provenance.log_leaf l set digest = a.digest from provenance.action a
           where l.record_id = a.id::text and a.id = '0198c0de-0000-7000-8000-00000000aaaa'
             and l.project_id = $1 and a.project_id = $1`,
    found: ['action 0198c0de-0000-7000-8000-00000000aaaa unlogged', 'node 1/0 altered'],
  },
  {
    what: 'the leaf of an earlier version, whose body is not stored',
    alter: `update provenance.log_leaf set digest = digest || '\\x00'::bytea where kind = 'entity' and record_id = 'late'
              and project_id = $1 and leaf_index = (select min(leaf_index) from provenance.log_leaf
                where record_id = 'late' and project_id = $1)`,
    mend: `update provenance.log_leaf set digest = substr(digest, 1, 32) where octet_length(digest) = 33
             and project_id = $1`,
    found: ['tree root altered'],
  },
  {
    what: 'a node',
    alter: `update provenance.log_node set hash = sha256(hash) where tile_level = 1 and node_index = 1 and project_id = $1`,
    mend: `delete from provenance.log_node where tile_level = 1 and node_index = 1 and project_id = $1`,
    found: ['node 1/1 altered', 'tree root altered'],
  },
  {
    what: 'a missing edge',
    alter: `update provenance.action_output set project_id = '00000000-0000-0000-0000-000000000000'
            where project_id = $1 and cid = '${EDGE_CID}'`,
    mend: `update provenance.action_output set project_id = $1
           where project_id = '00000000-0000-0000-0000-000000000000'`,
    found: ['action 0198c0de-0000-7000-8000-00000000bbbb unlinked'],
  },
  {
    what: 'an added edge',
    alter: `insert into provenance.action_input (project_id, cid, action_id)
            values ($1, 'bafkqaaa', '0198c0de-0000-7000-8000-00000000aaaa')`,
    mend: `delete from provenance.action_input where project_id = $1 and cid = 'bafkqaaa'`,
    found: ['edge bafkqaaa 0198c0de-0000-7000-8000-00000000aaaa unlinked'],
  },
  {
    what: 'the performer in the columns of an action',
    alter: `update provenance.action set performed_by = 'late' where project_id = $1
              and id = '0198c0de-0000-7000-8000-00000000aaaa'`,
    mend: `update provenance.action set performed_by = 'ann' where project_id = $1
             and id = '0198c0de-0000-7000-8000-00000000aaaa'`,
    found: ['action 0198c0de-0000-7000-8000-00000000aaaa unlinked'],
  },
  {
    what: 'the entity in the columns of an attribution',
    alter: `update provenance.attribution set entity_id = 'late' where project_id = $1
              and action_id = '0198c0de-0000-7000-8000-00000000bbbb'`,
    mend: `update provenance.attribution set entity_id = 'ann' where project_id = $1
             and action_id = '0198c0de-0000-7000-8000-00000000bbbb'`,
    found: [expect.stringMatching(/^attribution \S+ unlinked$/)],
  },
  {
    what: 'a missing record',
    alter: `with gone as (update provenance.entity set id = 'lost' where id = 'ann' and project_id = $1) select 1`,
    mend: `update provenance.entity set id = 'ann' where id = 'lost' and project_id = $1`,
    found: ['entity lost unlogged', 'leaf 0 unlogged'],
  },
];

describe('the integrity check, on PostgreSQL', () => {
  let service: Service;
  let cid: string;
  const logged: Record<string, unknown>[] = [];

  beforeAll(async () => {
    const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line)) });
    service = await startService('PostgreSQL', {
      overrides: { logger, integrity: { intervalMs: 1, pollMs: 20, share: 1 } },
    });
    const authorization = `Bearer ${OTHER_KEY}`;
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }, { authorization }));
    const id = '0198c0de-0000-7000-8000-00000000aaaa';
    await service.send('/v1/action', jsonPost({ id, performedBy: 'ann' }));
    await service.send(
      '/v1/action',
      jsonPost({ id: id.replaceAll('a', 'b'), performedBy: 'ann', outputCids: [EDGE_CID] }),
    );
    await Promise.all(
      Array.from({ length: 280 }, () => service.send('/v1/action', jsonPost({ performedBy: 'ann' }))),
    );
    await service.send('/v1/entity', jsonPost({ id: 'late', role: 'ai', name: 'Late' }));
    await service.send('/v1/entity/late', { ...jsonPost({ name: 'Later' }), method: 'PATCH' });
    cid = (await (await service.upload(CONTENT)).json()).cid;
    await service.upload('other bytes');
    expect((await service.send(`/v1/bundle/${cid}?proof=true`)).status).toBe(200);
  }, 60_000);
  afterAll(() => service.stop());

  const db = () => service.context.databases.provenance;
  const readPass = async () =>
    (await db().query<{ number: number }>('select number::int as number from provenance.audit_pass'))[0]
      ?.number ?? 0;
  /** Waits for the first complete pass that begins after the call. */
  async function findings(): Promise<string[]> {
    const begun = await readPass();
    await vi.waitFor(async () => expect(await readPass()).toBeGreaterThan(begun + 2), POLLING);
    const rows = await db().query<{ project: string; text: string }>(
      `select project_id as project, kind || ' ' || subject || ' ' || problem as text
       from provenance.audit_finding order by 2`,
    );
    for (const { project } of rows) expect(project).toBe(PROJECT);
    return rows.map(({ text }) => text);
  }
  const ready = async () => (await fetch(`${service.base}/readyz`)).json();
  const metrics = async () => (await fetch(`${service.base}/metrics`)).text();

  it('reports no finding for unaltered records and bytes, and counts what it checked', async () => {
    expect(await findings()).toEqual([]);
    expect((await ready()).checks.audit).toMatch(/^ok \(last pass ended \d{4}-/);
    const text = await metrics();
    expect(text).not.toMatch(/^colophon_audit_mismatches\{/m);
    for (const kind of ['entity', 'action', 'attribution', 'leaf', 'node', 'content'])
      expect(text).toMatch(new RegExp(`^colophon_audit_checked_total\\{kind="${kind}"\\} [1-9]`, 'm'));
  }, 60_000);

  it.each(ALTERATIONS)(
    'reports only the alteration: $what',
    async ({ alter, mend, found }) => {
      await db().query(alter, [PROJECT]);
      const seen = await findings();
      await db().query(mend, [PROJECT]);
      expect(seen).toEqual(found);
      expect(await findings()).toEqual([]);
    },
    120_000,
  );

  it('reports lost, altered and misnamed bytes, and altered bytes also in /readyz, metrics and log lines', async () => {
    const { blobs } = service.config;
    const hex = createHash('sha256').update(CONTENT).digest('hex');
    const directory = blobs.kind === 'dir' ? blobs.directory : '';
    const file = path.join(directory, PROJECT, 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex);
    const bytes = readFileSync(file);
    rmSync(file);
    expect(await findings()).toEqual([`content ${cid} missing`]);
    writeFileSync(file, CONTENT.toUpperCase());
    expect(await findings()).toEqual([`content ${cid} altered`]);
    expect(await ready()).toMatchObject({
      status: 'ready',
      checks: { audit: 'mismatch: 1 stored item differs from the recorded data, see the log' },
    });
    expect(await metrics()).toMatch(/^colophon_audit_mismatches\{kind="content",problem="altered"\} 1$/m);
    expect(logged).toContainEqual(
      expect.objectContaining({ projectId: PROJECT, kind: 'content', subject: cid, problem: 'altered' }),
    );
    writeFileSync(file, bytes);
    expect(await findings()).toEqual([]);
    // The record names the intact bytes of another content.
    const swap = `update provenance.resource r set content_digest = decode($3, 'hex'), size_bytes = $4
      where r.project_id = $1 and r.cid = $2`;
    const other = createHash('sha256').update('other bytes').digest('hex');
    await db().query(swap, [PROJECT, cid, other, 'other bytes'.length]);
    expect(await findings()).toEqual([`content ${cid} misnamed`]);
    await db().query(swap, [PROJECT, cid, hex, CONTENT.length]);
    expect(await findings()).toEqual([]);
    expect((await ready()).checks.audit).toMatch(/^ok/);
  }, 120_000);
});

describe('a pass of the integrity check', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('PostgreSQL', { environment: OFF });
    for (let count = 0; count < 8; count++) await service.upload(`content ${count}`);
    // In a log of this size, the service stores nodes of the tree.
    await service.send('/v1/entity', jsonPost({ id: 'bo', role: 'human' }));
    const actions = Array.from({ length: 300 }, () => ({ performedBy: 'bo' }));
    expect((await service.send('/v1/batch', jsonPost({ actions }))).status).toBe(201);
    const { cid } = await (await service.upload('one more')).json();
    expect((await service.send(`/v1/bundle/${cid}?proof=true`)).status).toBe(200);
  }, 60_000);
  afterAll(() => service.stop());

  const pass = async () =>
    (
      await service.context.databases.provenance.query<{ number: number; cursor: object | null }>(
        'select number::int as number, cursor from provenance.audit_pass',
      )
    )[0];
  const start = (more: Partial<IntegritySettings> = {}) => {
    const { provenance, blobs } = service.context.records;
    const failures: unknown[] = [];
    const settings = { provenance, blobs, intervalMs: 0, pollMs: 20, share: 1, onFinding: () => {}, ...more };
    return {
      failures,
      ...startIntegrityCheck({ ...settings, reportFailure: (error) => failures.push(error) }),
    };
  };

  it('does not run when the configuration turns it off', async () => {
    expect((await (await fetch(`${service.base}/readyz`)).json()).checks.audit).toBe('off');
  });

  it('never saves a tree that is altered during any statement of the comparison', async () => {
    const { provenance, blobs } = service.context.records;
    const size = await readLogSize(provenance, PROJECT);
    const check = (db: Database) =>
      checkTree({ provenance: db, blobs, rest: async () => {} }, PROJECT, { from: 0, size });
    const node = 'tile_level = 1 and node_index = 0 and project_id = $1';
    const [kept] = await provenance.query<{ hex: string }>(
      `select encode(hash, 'hex') as hex from provenance.log_node where ${node}`,
      [PROJECT],
    );
    const write = async (hash: string) =>
      void (await provenance.query(`update provenance.log_node set hash = ${hash} where ${node}`, [PROJECT]));
    let asked = Number.POSITIVE_INFINITY;
    for (let before = 0; before < asked; before++) {
      expect((await check(provenance)).findings).toEqual([]);
      asked = 0;
      const overtaken: Database = {
        ...provenance,
        async query(text, parameters) {
          if (asked++ === before) await write('sha256(hash)');
          return provenance.query(text, parameters);
        },
      };
      const found = [...(await check(overtaken)).findings, ...(await check(provenance)).findings];
      expect(found, `altered before statement ${before}`).toContainEqual(
        expect.objectContaining({ kind: 'tree', problem: 'altered' }),
      );
      await write(`decode('${kept?.hex}', 'hex')`);
    }
    expect(asked).toBeGreaterThan(3);
  });

  it('never saves an altered tree that is restored during the comparison', async () => {
    const { provenance, blobs } = service.context.records;
    const size = await readLogSize(provenance, PROJECT);
    const check = (db: Database) =>
      checkTree({ provenance: db, blobs, rest: async () => {} }, PROJECT, { from: 0, size });
    const leaf = `project_id = $1 and leaf_index = (select max(leaf_index) from provenance.log_leaf where project_id = $1)`;
    const flip = () =>
      provenance.query(
        `update provenance.log_leaf set digest = set_byte(digest, 0, 255 - get_byte(digest, 0)) where ${leaf}`,
        [PROJECT],
      );
    let asked = Number.POSITIVE_INFINITY;
    for (let before = 0; before < asked; before++) {
      expect((await check(provenance)).findings, `mended before statement ${before - 1}`).toEqual([]);
      await flip();
      asked = 0;
      const overtaken: Database = {
        ...provenance,
        async query(text, parameters) {
          if (asked++ === before) await flip();
          return provenance.query(text, parameters);
        },
      };
      await check(overtaken);
      if (asked <= before) await flip();
    }
    expect(asked).toBeGreaterThan(3);
    expect((await check(provenance)).findings).toEqual([]);
  });

  it('accepts a larger tree that another node checked, and reports a shorter or altered log', async () => {
    const { provenance, blobs } = service.context.records;
    const size = await readLogSize(provenance, PROJECT);
    const check = async (at: number) =>
      (await checkTree({ provenance, blobs, rest: async () => {} }, PROJECT, { from: 0, size: at })).findings;
    const setChecked = (change: string) =>
      provenance.query(`update provenance.audited_tree set ${change} where project_id = $1`, [PROJECT]);
    const altered = [{ projectId: PROJECT, kind: 'tree', subject: 'root', problem: 'altered' }];
    expect(await check(size)).toEqual([]);
    expect(await check(size - 1)).toEqual([]);
    await setChecked(`root = sha256(root)`);
    expect(await check(size - 1)).toEqual(altered);
    await provenance.query('delete from provenance.audited_tree where project_id = $1', [PROJECT]);
    expect(await check(size)).toEqual([]);
    await setChecked('size = size + 1');
    expect(await check(size - 1)).toEqual(altered);
    await setChecked('size = size - 1');
    expect(await check(size)).toEqual([]);
  });

  it('continues on another node from the position at which the first node ended', async () => {
    const first = start({ share: 0.02 });
    await vi.waitFor(async () => expect((await pass())?.cursor).not.toBeNull(), {
      timeout: 60_000,
      interval: 5,
    });
    await first.close();
    const left = await pass();
    expect(left?.cursor).toMatchObject({ projectId: PROJECT });
    const second = start({ intervalMs: 3_600_000 });
    await vi.waitFor(async () => expect((await pass())?.cursor).toBeNull(), POLLING);
    await second.close();
    expect([(await pass())?.number, second.checked.get('entity')]).toEqual([left?.number, undefined]);
    const contents = [first, second].map(({ checked }) => checked.get('content') ?? 0);
    expect(contents.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(8);
    expect([first.failures, second.failures]).toEqual([[], []]);
  }, 90_000);

  it('runs on one of several nodes at a time, and on a new node after these nodes have closed', async () => {
    const audits = [start(), start(), start()];
    const began = (await pass())?.number ?? 0;
    await vi.waitFor(async () => expect((await pass())?.number).toBeGreaterThan(began + 3), POLLING);
    await Promise.all(audits.map((audit) => audit.close()));
    const counts = audits.map(({ checked }) => checked.get('content') ?? 0);
    const passes = (await pass())?.number ?? 0;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual((passes - began) * 9);
    const next = start();
    await vi.waitFor(async () => expect((await pass())?.number).toBeGreaterThan(passes + 1), POLLING);
    await next.close();
  }, 90_000);
});

it('the integrity check reads large records in steps of about 1 MiB', async () => {
  const service = await startService(ANY_ENGINE);
  try {
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human' }));
    const extensions = { 'ext:note@1.0.0': { text: 'x'.repeat(300_000) } };
    for (let n = 0; n < 5; n++)
      expect((await service.send('/v1/action', jsonPost({ performedBy: 'ann', extensions }))).status).toBe(
        201,
      );
    const { provenance } = service.context.databases;
    const deps = { provenance, rest: async () => {} } as unknown as IntegrityDeps;
    const counts: number[] = [];
    for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const visit = { projectId: namedProjectId('one'), stage: 'action', after, size: 6, newer: 0 } as const;
      const step = await checkPart(deps, visit);
      counts.push(step.count);
      after = step.after;
    }
    expect(counts).toEqual([4, 1]);
  } finally {
    await service.stop();
  }
});
