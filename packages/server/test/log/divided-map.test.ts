import { randomUUID } from 'node:crypto';
import {
  mapRoot,
  mentionKey,
  type ProofVersion,
  type ProvenBundle,
  toBase64,
  verifyBundle,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner, createVerifySignature } from '../../src/access/ed25519.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { draftEntity } from '../../src/records/draft/draft-records.js';
import { readProvenBundle } from '../../src/records/read/prove-bundle.js';
import { draftActionItem } from '../../src/records/write/record-action.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import { nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { TABLES } from '../../src/transparency-log/mentions.sql.js';
import { recordItems } from '../support/plain-items.js';
import { watchDatabase } from '../support/watch-database.js';

const AT = new Date();
const HASH = '00'.repeat(32);
const signer = createSigner('07'.repeat(32));
const trusted = { publicKey: Buffer.from(signer.publicKeyHex, 'hex') };
const verify = createVerifySignature();
let databases: Databases;

beforeAll(async () => {
  databases = await openDatabases({ kind: 'memory' });
  await nameLogs(databases.provenance, 'localhost');
});
afterAll(() => databases.close());

/** The columns of an entry besides its key and leaf hash. */
const OTHERS = {
  1: {
    columns: 'made_count, made_head, used_count, used_head, value',
    values: `0, decode('${HASH}', 'hex'), 0, decode('${HASH}', 'hex'), decode('${HASH}', 'hex')`,
  },
  2: { columns: 'chains', values: `''::bytea` },
};

const prefixOf = (name: string) => Buffer.from(mentionKey(name)).toString('hex', 0, 2);

async function openProject(version: ProofVersion) {
  const projectId = randomUUID();
  const { entry, node } = TABLES[version];
  const query = <Row = object>(text: string, ...rest: unknown[]) =>
    databases.provenance.query<Row>(text, [projectId, ...rest]);
  const write = (items: readonly object[]) => recordItems(databases.provenance, projectId, items);
  await write([
    { entities: [draftEntity({ id: 'ann', role: 'human' }, { id: 'ann', at: AT, asserted: {} })] },
  ]);
  const record = (name: string, suffix = 'made') => {
    const made = {
      type: 'transform',
      performedBy: 'ann',
      inputCids: [name],
      outputCids: [`${name} ${suffix}`],
    };
    const input = { ...made, resourceType: 'other', extensions: {} };
    return write([draftActionItem({ input, id: randomUUID(), at: AT }, {})]);
  };
  const prove = async (cid: string, provenance: Database = databases.provenance): Promise<ProvenBundle> => {
    const deps = {
      provenance,
      signer: toLogSigner(signer),
      service: 'localhost',
      readAnchoredLeaf: async () => undefined,
      limitConcurrency: <T>(_: string, run: () => Promise<T>) => run(),
      completeNodes: createCompleteNodes(provenance, (_, run) => run()),
    };
    const options = { cid, direction: 'both', depth: undefined, limit: 1_000, version } as const;
    const bundle = await readProvenBundle(deps, projectId, options);
    expect(verifyBundle(bundle, trusted, verify)).toMatchObject({ verified: true, complete: true });
    return bundle as ProvenBundle;
  };
  /**
   * Adds `density` - 1 entries for each name. Their keys have the same first 2 bytes. Call it before the first record
   * with these names.
   */
  const fill = (names: readonly string[], density: number) =>
    query(
      `insert into ${entry} (project_id, name_key, leaf_hash, ${OTHERS[version].columns})
       select $1, decode(asked.prefix, 'hex') || substr(sha256(convert_to(asked.prefix || n, 'utf8')), 3),
         sha256(convert_to(asked.prefix || n, 'utf8')), ${OTHERS[version].values}
       from unnest($2::text[]) as asked(prefix), generate_series(2, $3::int) as n`,
      names.map(prefixOf),
      density,
    );
  const readRow = async (name: string) => {
    const [row] = await query<{ below: string | null; isValid: boolean }>(
      `select encode(below, 'hex') as below, coalesce(below_root = hash, false) as "isValid" from ${node}
       where project_id = $1 and prefix = decode($2, 'hex')`,
      prefixOf(name),
    );
    return row;
  };
  /** Each stored root must cover all leaves with its prefix, and the stated root all leaves. */
  const expectRightRoots = async ({ proof }: ProvenBundle) => {
    const leaves = await query<{ key: string; hash: string }>(
      `select encode(name_key, 'hex') as key, encode(leaf_hash, 'hex') as hash from ${entry}
       where project_id = $1 order by name_key`,
    );
    const rootBelow = (prefix: string) =>
      mapRoot(
        leaves
          .filter(({ key }) => key.startsWith(prefix))
          .map(({ key, hash }) => ({ key: Buffer.from(key, 'hex'), hash: Buffer.from(hash, 'hex') })),
      );
    expect(proof.mentions.statement.root).toBe(toBase64(rootBelow('')));
    const roots = await query<{ key: string; hash: string }>(
      `select encode(prefix, 'hex') as key, encode(hash, 'hex') as hash from ${node} where project_id = $1`,
    );
    for (const { key, hash } of roots) expect(Buffer.from(rootBelow(key)).toString('hex'), key).toBe(hash);
  };
  return { projectId, node, query, record, prove, fill, readRow, expectRightRoots };
}

describe.each([1, 2] as const)('a map of version %i with a divided prefix', (version) => {
  it('has the same proofs as a map whose prefixes are not divided', async () => {
    const { record, fill, prove, node, query, readRow, expectRightRoots } = await openProject(version);
    await fill(['dense'], 460);
    await fill(['small'], 5);
    for (const name of ['dense', 'small', 'lone']) await record(name);
    const names = ['dense', 'small', 'lone', 'dense made'];
    const divided: ProvenBundle[] = [];
    for (const name of names) divided.push(await prove(name));
    await expectRightRoots(divided[0] as ProvenBundle);
    const row = await readRow('dense');
    expect(row).toMatchObject({ isValid: true, below: expect.stringMatching(/^([\da-f]{72}){60,120}$/) });
    expect(await readRow('small')).toEqual({ isValid: true, below: '' });
    for (const [place, name] of names.entries()) {
      await query(
        `update ${node} set below = null, below_root = null where project_id = $1 and octet_length(prefix) = 2`,
      );
      expect(JSON.stringify(await prove(name))).toBe(JSON.stringify(divided[place]));
    }
    await prove('dense');
    expect(await readRow('dense')).toEqual(row);
  });

  it('stays correct while nodes of earlier versions change it', async () => {
    const { record, fill, prove, node, query, readRow, expectRightRoots } = await openProject(version);
    await fill(['dense'], 40);
    await record('dense', 'first');
    await prove('dense');
    const columns = `encode(prefix, 'hex') as prefix, encode(below, 'hex') as below, encode(below_root, 'hex') as root`;
    const before = await query<{ prefix: string; below: string; root: string }>(
      `select ${columns} from ${node} where project_id = $1 and octet_length(prefix) = 2`,
    );
    await record('dense', 'second');
    await expectRightRoots(await prove('dense'));
    // One earlier version changes only the roots and keeps `below`. Another one sets `below` to null.
    const toEarlier = [
      (prefix: string, below: string | null, root: string | null) =>
        query(
          `update ${node} set below = decode($3, 'hex'), below_root = decode($4, 'hex')
           where project_id = $1 and prefix = decode($2, 'hex')`,
          ...[prefix, below, root],
        ),
    ] as const;
    for (const { prefix, below, root } of before) await toEarlier[0](prefix, below, root);
    expect(await readRow('dense')).toMatchObject({ isValid: false });
    await expectRightRoots(await prove('dense'));
    expect(await readRow('dense')).toMatchObject({ isValid: true });
    for (const { prefix } of before) await toEarlier[0](prefix, null, null);
    await record('dense', 'third');
    await expectRightRoots(await prove('dense'));
    expect(await readRow('dense')).toMatchObject({ isValid: true });
  });
});

/** Counts the leaves that a proof reads below the prefix of `dense`. */
async function countRead(density: number) {
  const { record, fill, prove } = await openProject(2);
  await fill(['dense', 'dense made'], density);
  await record('dense');
  await prove('dense');
  let leaves = 0;
  let statements = 0;
  const counted = watchDatabase<{ packed?: string; prefix?: string }>(databases.provenance, (rows) => {
    statements++;
    for (const { packed = '', prefix = '' } of rows)
      if (prefix.startsWith(prefixOf('dense')) && packed.length % 128 === 0) leaves += packed.length / 128;
  });
  await prove('dense', counted);
  return { leaves, statements };
}

it('a proof reads at most 8 of 460 leaves with one prefix, and runs as many SQL statements as for 5', async () => {
  const [few, many] = [await countRead(5), await countRead(460)];
  expect(few.leaves).toBeGreaterThan(0);
  expect(many.leaves).toBeGreaterThan(0);
  expect(many.leaves).toBeLessThanOrEqual(8);
  expect(many.statements).toBe(few.statements);
});
