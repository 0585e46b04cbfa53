import { randomUUID } from 'node:crypto';
import { parseCheckpoint } from '@colophon/model';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createSigner } from '../../src/access/ed25519.js';
import { createMemoryStore } from '../../src/blobs/memory-store.js';
import type { Database } from '../../src/platform/db/database.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { readCheckpoint, signTree } from '../../src/transparency-log/checkpoint.js';
import { createCompleteNodes } from '../../src/transparency-log/complete-nodes.js';
import { changeOrigin, nameLogs } from '../../src/transparency-log/log.sql.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { readReceipt } from '../../src/transparency-log/prove.js';
import { openSignedHeads } from '../../src/transparency-log/signed-heads.js';
import { nameOf } from '../../src/transparency-log/stored-heads.js';
import { openTree, type TreeReader } from '../../src/transparency-log/tree-reader.js';
import { recordItems, toEntityItem } from '../support/plain-items.js';
import { createMigratedDatabase } from '../support/postgres.js';

type Store = Parameters<typeof openSignedHeads>[0]['store'];

const PROJECT = randomUUID();
const LOG = { projectId: PROJECT, origin: `localhost/log/${PROJECT}` };
const NAME = nameOf(LOG);

function openNode({ store, provenance, failures = [], forks = [], delayMs = 1 }: Node) {
  const reportFailure = (error: unknown) => void failures.push(error);
  const reportFork = ({ message }: Error) => void forks.push(message);
  const signedHeads = openSignedHeads({ store, provenance, reportFailure, reportFork, delayMs });
  const deps = {
    ...{ provenance, signedHeads, service: 'localhost' },
    signer: toLogSigner(createSigner('07'.repeat(32))),
    readAnchoredLeaf: async () => undefined,
    limitConcurrency: <T>(_: string, run: () => Promise<T>) => run(),
    completeNodes: createCompleteNodes(provenance, (_, run) => run()),
  };
  const signOf = async (origin: string, size: number) =>
    signTree(deps, origin, await openTree(provenance, PROJECT, size));
  const readReceiptOf = async (id: string, head: { size: number; origin: string }) => {
    const readAnchoredLeaf = async () => ({ head, anchor: ANCHOR });
    const read = await readReceipt({ ...deps, readAnchoredLeaf }, PROJECT, { kind: 'entity', id });
    return read?.receipt;
  };
  const signRead = (tree: TreeReader) => signTree(deps, LOG.origin, tree);
  return { ...signedHeads, sign: () => readCheckpoint(deps, PROJECT), signOf, signRead, readReceiptOf };
}

interface Node {
  store: Store;
  provenance: Database;
  failures?: unknown[];
  forks?: string[];
  delayMs?: number;
}

const ANCHOR = {
  ...{ root: '', chainId: 1, chainName: 'a chain', contractAddress: '0x', txHash: '0x' },
  ...{ blockNumber: 1, logIndex: 0 },
};

const recordInto = (db: Database, id: string) =>
  recordItems(db, PROJECT, [toEntityItem({ id, role: 'human' })]);

describe('the newest signed checkpoints', () => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await openDatabases({ kind: 'memory' });
    await nameLogs(databases.provenance, 'localhost');
  });
  afterAll(() => databases.close());

  const store = createMemoryStore(2 ** 20);
  const failures: unknown[] = [];
  const forks: string[] = [];
  const open = (into: Store = store) =>
    openNode({ store: into, provenance: databases.provenance, failures, forks });
  const readStored = async () => parseCheckpoint((await store.readDocument(NAME))?.toString() ?? '')?.size;
  const record = (id: string) => recordInto(databases.provenance, id);

  it('are stored after they are signed, and never replaced by smaller ones', async () => {
    const first = open();
    await record('a');
    const small = await first.sign();
    await record('b');
    await first.sign();
    await first.close();
    expect(await readStored()).toBe(2);
    const second = open();
    await second.sign();
    const { size = 0, root = new Uint8Array() } = parseCheckpoint(small) ?? {};
    second.keep(LOG, { size, root, begun: '', note: small });
    await second.close();
    expect(await readStored()).toBe(2);
    expect(small).toContain(LOG.origin);
  });

  it('stop a log that lacks signed leaves, and a log with other leaves', async () => {
    const signed = (await store.readDocument(NAME))?.toString() ?? '';
    const { size } = parseCheckpoint(signed) ?? { size: 0 };
    const larger = signed.replace(`\n${size}\n`, `\n${size + 1}\n`);
    await store.writeDocument(NAME, Buffer.from(larger));
    const started = open();
    for (let tries = 0; tries < 2; tries++)
      await expect(started.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    await record('c');
    await expect(started.sign()).rejects.toThrow(`its signed tree of ${size + 1} leaves`);
    await store.writeDocument(NAME, Buffer.from(signed));
    await expect(started.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    const restarted = open();
    expect(parseCheckpoint(await restarted.sign())?.size).toBe(size + 1);
    expect(started.state().forked).toEqual([LOG]);
    expect(forks).toEqual([
      `The log of the project ${PROJECT} has ${size} leaves, but does not continue its signed tree of ${size + 1} leaves: the database is probably an older copy.`,
    ]);
    await started.close();
    await restarted.close();
  });

  it('stop a log while their document is damaged', async () => {
    const signed = (await store.readDocument(NAME)) ?? Buffer.alloc(0);
    await store.writeDocument(NAME, Buffer.from('<html>502 Bad Gateway</html>'));
    const started = open();
    await expect(started.sign()).rejects.toThrow('is damaged');
    const { provenance } = databases;
    await provenance.transaction((tx) => changeOrigin(tx, PROJECT, `${LOG.origin}/continued`));
    expect(await started.isLost(LOG)).toBe(true);
    await started.close();
    await provenance.transaction((tx) => changeOrigin(tx, PROJECT, LOG.origin));
    await store.writeDocument(NAME, signed);
    const restarted = open();
    await restarted.sign();
    await restarted.close();
  });

  it('stop a log that loses leaves while the service runs, also when it grows again', async () => {
    const running = open();
    await running.sign();
    await running.close();
    const later = open();
    await later.sign();
    const { provenance } = databases;
    await provenance.query(
      `delete from provenance.log_leaf where project_id = $1 and leaf_index =
         (select max(leaf_index) from provenance.log_leaf where project_id = $1)`,
      [PROJECT],
    );
    const unaware = open();
    await expect(later.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    for (const id of ['d', 'e']) await record(id);
    for (const heads of [later, unaware]) await expect(heads.sign()).rejects.toThrow('does not continue');
    await later.close();
    expect(await readStored()).toBe(3);
  });

  it('are not replaced when the log lost leaves and grew again between two signatures', async () => {
    await store.removeDocument(NAME);
    const running = open();
    await running.sign();
    await running.close();
    const size = (await readStored()) ?? 0;
    const unaware = open();
    await unaware.sign();
    await databases.provenance.query(
      `update provenance.log_leaf set digest = sha256('other') where project_id = $1 and leaf_index = $2`,
      [PROJECT, size - 1],
    );
    await record('f');
    expect(parseCheckpoint(await unaware.sign())?.size).toBe(size + 1);
    await unaware.close();
    expect(unaware.state().forked).toEqual([LOG]);
    expect(forks.at(-1)).toContain('does not continue');
    expect(await readStored()).toBe(size);
    await store.removeDocument(NAME);
  });

  it('stop a log while the store cannot be read', async () => {
    const failing = { ...store, readDocument: () => Promise.reject(new Error('down')) };
    const started = open(failing);
    await expect(started.sign()).rejects.toMatchObject({ code: 'Unavailable' });
    expect(started.state().failures).toEqual({ read: 1, write: 0 });
    await started.close();
  });

  it('stay the largest, also when a slow node stores a smaller checkpoint at the same time', async () => {
    await store.removeDocument(NAME);
    let hasWritten = () => {};
    const written = new Promise<void>((resolve) => {
      hasWritten = resolve;
    });
    const writeDocument: Store['writeDocument'] = async (name, bytes) => {
      await store.writeDocument(name, bytes);
      hasWritten();
    };
    const late: Store['writeDocument'] = async (...given) => {
      await written;
      await store.writeDocument(...given);
      isLate = true;
    };
    let isLate = false;
    const [slow, fast] = [open({ ...store, writeDocument: late }), open({ ...store, writeDocument })];
    await slow.sign();
    await record('of the second node');
    const signed = parseCheckpoint(await fast.sign())?.size;
    await expect.poll(() => isLate).toBe(true);
    await expect.poll(readStored).toBe(signed);
    await Promise.all([slow.close(), fast.close()]);
  });

  it('let a renamed log sign its present tree, but no tree with its former name', async () => {
    const signed = (await readStored()) ?? 0;
    const document = (await store.readDocument(NAME))?.toString() ?? '';
    await store.writeDocument(NAME, Buffer.from(document.replace(`\n${signed}\n`, `\n${signed + 5}\n`)));
    const started = open();
    await expect(started.signOf(LOG.origin, signed - 1)).rejects.toThrow('does not continue');
    const { provenance } = databases;
    const renamed = `${LOG.origin}/continued`;
    await provenance.transaction((tx) => changeOrigin(tx, PROJECT, renamed));
    expect(parseCheckpoint(await started.sign())?.origin).toBe(renamed);
    await expect(started.signOf(LOG.origin, signed - 1)).rejects.toThrow('then got a new name');
    expect(started.state().forked).toEqual([]);
    // A tree with the former name may contain lost leaves, so the receipt does not contain its anchor.
    const receipt = await started.readReceiptOf('a', { size: signed, origin: LOG.origin });
    expect(receipt).toMatchObject({ log: { origin: renamed } });
    expect(receipt).not.toHaveProperty('anchor');
    expect(await started.readReceiptOf('a', { size: signed, origin: renamed })).toHaveProperty('anchor');
    expect(await readStored()).toBe(signed + 5);
    await provenance.transaction((tx) => changeOrigin(tx, PROJECT, LOG.origin));
    await started.close();
    await store.removeDocument(NAME);
  });

  it('are stored later if the store fails', async () => {
    await store.removeDocument(NAME);
    let isDown = true;
    failures.length = 0;
    const failing = {
      ...store,
      writeDocument: (name: string, bytes: Uint8Array) =>
        isDown ? Promise.reject(new Error('down')) : store.writeDocument(name, bytes),
    };
    const started = open(failing);
    await started.sign();
    await expect.poll(() => failures.length).toBe(1);
    expect(await readStored()).toBeUndefined();
    isDown = false;
    const signed = parseCheckpoint(await started.sign())?.size;
    await started.close();
    expect(await readStored()).toBe(signed);
  });
});

describe('a node on PostgreSQL whose database is replaced while it runs', () => {
  const opened: Databases[] = [];
  const openOn = async (ids: readonly string[]) => {
    const url = await createMigratedDatabase(inject('postgresUrl'));
    const databases = await openDatabases({ kind: 'postgresql', directUrl: undefined, url });
    opened.push(databases);
    await nameLogs(databases.provenance, 'localhost');
    for (const id of ids) await recordInto(databases.provenance, id);
    return databases.provenance;
  };
  afterEach(async () => void (await Promise.all(opened.splice(0).map((one) => one.close()))));

  /** Statements go to one of two servers, as after a fail-over. */
  const moveLater = (from: Database, to: Database) => {
    let present = from;
    const move = () => {
      present = to;
    };
    const provenance: Database = { ...from, query: (...given) => present.query(...given) };
    return { provenance, move };
  };

  it('does not sign a log that lost leaves and grew beyond its signed tree in between', async () => {
    const store = createMemoryStore(2 ** 20);
    const { provenance, move } = moveLater(await openOn(['a', 'b']), await openOn(['a', 'other', 'more']));
    const node = openNode({ store, provenance });
    await node.sign();
    move();
    await expect(node.sign()).rejects.toThrow(
      'has 3 leaves, but does not continue its signed tree of 2 leaves',
    );
    await node.close();
    expect(parseCheckpoint((await store.readDocument(NAME))?.toString() ?? '')?.size).toBe(2);
  });

  it('does not sign a log that lacks leaves which another node signed', async () => {
    const store = createMemoryStore(2 ** 20);
    const primary = await openOn(['a', 'b']);
    const { provenance, move } = moveLater(primary, await openOn(['a', 'b', 'd', 'e']));
    const [node, other] = [openNode({ store, provenance }), openNode({ store, provenance: primary })];
    await node.sign();
    await recordInto(primary, 'c');
    await other.sign();
    await other.close();
    move();
    await expect(node.sign()).rejects.toThrow(
      'has 4 leaves, but does not continue its signed tree of 3 leaves',
    );
    await node.close();
  });

  it('signs no tree that was read before a fail-over', async () => {
    const store = createMemoryStore(2 ** 20);
    const primary = await openOn(['a', 'b']);
    const { provenance, move } = moveLater(primary, await openOn(['a', 'b', 'd']));
    const node = openNode({ store, provenance });
    await node.sign();
    await recordInto(primary, 'c');
    const read = await openTree(provenance, PROJECT, 3);
    const moving = {
      ...read,
      async readRoot() {
        const root = await read.readRoot();
        move();
        return root;
      },
    };
    await expect(node.signRead(moving)).rejects.toThrow('took over while the service read');
    expect(parseCheckpoint(await node.sign())?.size).toBe(3);
    // The node compared its checkpoints on the new server, so it must not keep a tree read from the former server.
    const former = { size: 4, root: await read.readRoot(), begun: 'the former server', note: '' };
    expect(() => node.keep(LOG, former)).toThrow('took over while the service read');
    await node.close();
  });

  it('shows a fork that only this node knows, also after another node stored a larger tree', async () => {
    const store = createMemoryStore(2 ** 20);
    const [primary, replica] = [await openOn(['a', 'b', 'c']), await openOn(['a', 'b', 'd', 'e'])];
    const { provenance, move } = moveLater(primary, replica);
    const forks: string[] = [];
    const node = openNode({ store, provenance, forks, delayMs: 60_000 });
    const other = openNode({ store, provenance: replica });
    await node.sign();
    move();
    expect(parseCheckpoint(await other.sign())?.size).toBe(4);
    await other.close();
    await node.close();
    expect(forks).toHaveLength(1);
    expect(node.state().forked).toEqual([LOG]);
    const restarted = openNode({ store, provenance: replica });
    await expect(restarted.sign()).rejects.toThrow('does not continue its signed tree of 3 leaves');
    await restarted.close();
  });

  it('signs a log that has all leaves', async () => {
    const store = createMemoryStore(2 ** 20);
    const { provenance, move } = moveLater(await openOn(['a', 'b']), await openOn(['a', 'b', 'c']));
    const node = openNode({ store, provenance });
    await node.sign();
    move();
    expect(parseCheckpoint(await node.sign())?.size).toBe(3);
    await node.close();
  });
});
