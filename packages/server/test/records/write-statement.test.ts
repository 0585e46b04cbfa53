import {
  emptyRoot,
  type JsonObject,
  type Receipt,
  signCheckpoint,
  toTransparentStatement,
  toVerifierKey,
} from '@colophon/model';
import { expect, it } from 'vitest';
import { createSigner } from '../../src/access/ed25519.js';
import { writeStatement } from '../../src/records/read/write-statement.js';
import { toLogSigner } from '../../src/transparency-log/log-signer.js';
import { countTurns } from '../support/count-turns.js';

const signer = createSigner('07'.repeat(32));
const origin = 'example.org/log';
const checkpoint = signCheckpoint({ origin, size: 1, root: emptyRoot() }, signer);
const keyId = Buffer.from(toVerifierKey(origin, Buffer.from(signer.publicKeyHex, 'hex')).keyId, 'hex');

function toReceipt(values: unknown[]): Receipt {
  const body = {
    id: 'one',
    type: 'create',
    extensions: { 'ext:z': 'Zo\u0308e', 'ext:values': values },
  } as JsonObject;
  const log = { origin, leafIndex: 0, leafHash: '', inclusionPath: [], checkpoint };
  return { version: 1, record: { kind: 'entity', digest: '', body, salts: {} }, log } as Receipt;
}

/** `turns`: the project of each turn in the fair queue. `signed`: the number of signatures. */
function openDeps() {
  const seen = { turns: [] as string[], signed: 0 };
  const { publicKeyHex, signBytes } = toLogSigner(signer);
  const counting = {
    publicKeyHex,
    signBytes(bytes: Uint8Array, caller: string) {
      seen.signed++;
      return signBytes(bytes, caller);
    },
  };
  const limitConcurrency = <T>(
    projectId: string,
    run: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    seen.turns.push(projectId);
    signal?.throwIfAborted();
    return run();
  };
  return { seen, deps: { signer: counting, limitConcurrency } };
}

const SIZES: [number, number][] = [
  [10, 0],
  [15_000, 0],
  [30_000, 1],
  [400_000, 1],
];

it.each(SIZES)(
  'the statement of a record with %i values waits in the fair queue %i times',
  async (count, times) => {
    const receipt = toReceipt(Array.from({ length: count }, (_, place) => place % 10));
    const { seen, deps } = openDeps();
    const statement = await writeStatement(deps, 'one', { receipt });
    expect(seen).toEqual({ turns: Array.from({ length: times }, () => 'one'), signed: 2 });
    const whole = toTransparentStatement(receipt, { keyId, signBytes: signer.signBytes });
    expect(statement.equals(whole)).toBe(true);
  },
);

it.each([
  ['a string', ['x'.repeat(70_000)]],
  ['nested lists', Array.from({ length: 100 }, () => Array.from({ length: 300 }, () => [0]))],
  ['objects', Array.from({ length: 1_000 }, () => ({ ['n'.repeat(70)]: 0 }))],
])('the statement of a record that is large because of %s waits in the fair queue', async (_, values) => {
  const { seen, deps } = openDeps();
  await writeStatement(deps, 'one', { receipt: toReceipt(values) });
  expect(seen.turns).toEqual(['one']);
});

it('other tasks run between the steps that write the statement of a large record', async () => {
  const receipt = toReceipt(Array.from({ length: 400_000 }, () => 0));
  const turns = countTurns();
  await writeStatement(openDeps().deps, 'one', { receipt });
  turns.stop();
  // The record has 800,000 characters, and a step writes 65,536.
  expect(turns.count).toBeGreaterThanOrEqual(12);
});

it('when the caller disconnects, the write of a statement ends before the first signature', async () => {
  const leaving = new AbortController();
  const { seen, deps } = openDeps();
  const receipt = toReceipt(Array.from({ length: 400_000 }, () => 0));
  const run = writeStatement(deps, 'one', { receipt, signal: leaving.signal });
  setImmediate(() => leaving.abort(new Error('The caller left')));
  await expect(run).rejects.toThrow('The caller left');
  expect(seen.signed).toBe(0);
});
