import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Action,
  fromBase64,
  parseCheckpoint,
  parseTrustedLog,
  type TreeHead,
  type TrustedLog,
  verifyGrowth,
  verifyReceipt,
} from '@colophon/model';
import { expect } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { KEY, OTHER_KEY, toForm } from './service.js';

/** What a service of two projects is started with. */
export const TENANTS = { API_KEYS: `${KEY}:one,${OTHER_KEY}:two`, SERVER_SIGNING_KEY: '3c'.repeat(32) };

interface Sent {
  key: string;
  content: string;
  /** Where the recording was acknowledged. */
  told?: { cid: string; actionId: string };
}

/** Keeps what callers sent and what they were told, and holds a service to it. */
export interface Ledger {
  readonly acknowledged: number;
  /** How often each status was answered; `gone` where the connection broke. */
  readonly statuses: ReadonlyMap<number | 'gone', number>;
  /** Records files for both projects, several at once, until it is stopped. */
  load(base: string, callers?: number): { stop(): Promise<void> };
  /**
   * Reads everything back: what was acknowledged is there once, whole and proven; what was not is there whole or not
   * at all; neither project has what is the other's; and the logs have only grown since the last check.
   */
  check(base: string): Promise<void>;
}

export function createLedger(): Ledger {
  const sent: Sent[] = [];
  const statuses = new Map<number | 'gone', number>();
  const heads = new Map<string, TreeHead>();
  const count = (status: number | 'gone') => statuses.set(status, (statuses.get(status) ?? 0) + 1);

  async function recordOne(base: string, key: string): Promise<void> {
    const entry: Sent = { key, content: `file ${sent.length}, ${'x'.repeat(randomInt(20_000))}` };
    sent.push(entry);
    const body = toForm(entry.content, { entity: { role: 'human', name: 'Ann' } });
    const headers = { authorization: `Bearer ${key}` };
    try {
      const answer = await fetch(`${base}/v1/activity`, { method: 'POST', headers, body });
      const told = await answer.json();
      count(answer.status);
      if (answer.status === 201) entry.told = told;
    } catch {
      count('gone');
      await sleep(20);
    }
  }

  return {
    get acknowledged() {
      return sent.filter(({ told }) => told !== undefined).length;
    },
    statuses,
    load(base, callers = 8) {
      let isGoing = true;
      const caller = async (index: number) => {
        while (isGoing) await recordOne(base, index % 2 === 0 ? KEY : OTHER_KEY);
      };
      const done = Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
      return {
        stop: async () => {
          isGoing = false;
          await done;
        },
      };
    },
    async check(base) {
      for (const key of [KEY, OTHER_KEY]) {
        const other = key === KEY ? OTHER_KEY : KEY;
        const own = sent.filter((entry) => entry.key === key);
        const read = reader(base, key);
        const trusted = await trustedLog(read);
        const found = new Set<string>();
        for (const entry of own) if (await isWhole(read, trusted, entry)) found.add(entry.content);
        for (const { content } of own.slice(0, 20))
          expect((await reader(base, other)(`/v1/bundle/${nameOf(content)}`)).status).toBe(404);
        await expectLists(read, found.size);
        heads.set(key, await expectGrown(read, heads.get(key)));
      }
    },
  };
}

type Read = (path: string) => Promise<Response>;

const reader =
  (base: string, key: string): Read =>
  (path) =>
    fetch(base + path, { headers: { authorization: `Bearer ${key}` } });

const verify = createVerifySignature();
const nameOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

async function isWhole(read: Read, trusted: TrustedLog, { content, told }: Sent): Promise<boolean> {
  const answer = await read(`/v1/bundle/${nameOf(content)}`);
  if (answer.status === 404 && told === undefined) return false;
  const bundle = await answer.json();
  expect([bundle.actions?.length, bundle.resources?.length, bundle.attributions?.length]).toEqual([1, 1, 1]);
  const [{ id }] = bundle.actions as [Action];
  if (told !== undefined) expect([bundle.cid, id]).toEqual([told.cid, told.actionId]);
  expect(await (await read(`/v1/resource/${bundle.cid}/content`)).text()).toBe(content);
  const receipt = await (await read(`/v1/action/${id}/receipt`)).json();
  expect(verifyReceipt(receipt, trusted, verify)).toMatchObject({
    verified: true,
  });
  return true;
}

/** Once each, and a leaf for each: a file is an action and an attribution; Ann is one more. */
async function expectLists(read: Read, files: number): Promise<void> {
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await (await read(`/v1/actions?limit=200${cursor && `&cursor=${cursor}`}`)).json();
    for (const { id } of page.actions) {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
    }
    cursor = page.nextCursor;
  }
  expect(ids.size).toBe(files);
  const { size } = await (await read('/v1/log')).json();
  expect(size).toBe(files === 0 ? 0 : 2 * files + 1);
}

async function expectGrown(read: Read, older: TreeHead | undefined): Promise<TreeHead> {
  const head = parseCheckpoint(await (await read('/v1/log/checkpoint')).text());
  if (head === undefined) throw new Error('The checkpoint cannot be read');
  if (older === undefined || older.size === 0) return head;
  const query = `from=${older.size}&to=${head.size}`;
  const { consistencyPath } = await (await read(`/v1/log/consistency?${query}`)).json();
  expect(verifyGrowth(older, head, consistencyPath.map(fromBase64))).toEqual({ verified: true });
  return head;
}

async function trustedLog(read: Read): Promise<TrustedLog> {
  const trusted = parseTrustedLog((await (await read('/v1/log')).json()).verifierKey);
  if (trusted === undefined) throw new Error('The log has no key');
  return trusted;
}
