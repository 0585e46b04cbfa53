import { createHash, randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';
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

export const TENANTS = { API_KEYS: `${KEY}:one,${OTHER_KEY}:two`, SERVER_SIGNING_KEY: '3c'.repeat(32) };

/** On a busy machine the first acknowledgements take long. */
const MAX_WAIT_MS = 120_000;

interface Sent {
  key: string;
  content: string;
  acknowledged?: { cid: string; actionId: string };
  /** Undefined before the first check. */
  isThere?: boolean;
}

/** Findings in all checks. Each number has to stay 0. */
const NONE = { lost: 0, doubled: 0, halfWritten: 0, brokenProofs: 0, otherTenant: 0 };
type Findings = typeof NONE;

/** Sends recordings, and compares them with the records of the service. */
export interface Ledger {
  readonly acknowledged: number;
  /** `gone` counts broken connections. */
  readonly statuses: ReadonlyMap<number | 'gone', number>;
  /** Records files for both projects, several at once, until `stop`. */
  load(base: string, callers?: number): { stop(): Promise<void> };
  /** Waits for `more` further acknowledgements; throws after two minutes. */
  untilAcknowledged(more: number): Promise<void>;
  /** Call it when a fault begins. Measures the time until the service acknowledges a recording that was sent later. */
  faultBegins(): void;
  /**
   * Reads all recordings back, and throws for a finding. Each acknowledged recording must exist once, complete and
   * proven. Each other recording must be complete or absent. No project may read recordings of the other one. The logs
   * must only have grown.
   */
  check(base: string): Promise<void>;
  /** Reads back only the recordings that no check has read. */
  checkLatest(base: string): Promise<void>;
  /** Appends a row for `bench/reliability.md` to the file that RELIABILITY_REPORT names. */
  report(row: { fault: string; how: string; rounds: number }): void;
}

export function createLedger(): Ledger {
  const sent: Sent[] = [];
  const statuses = new Map<number | 'gone', number>();
  const heads = new Map<string, TreeHead>();
  const findings = { ...NONE };
  const awayMs: number[] = [];
  let faultAt: number | undefined;
  const count = (status: number | 'gone') => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const countAcknowledged = () => sent.filter(({ acknowledged }) => acknowledged !== undefined).length;

  function noteAnswered(sentAt: number): void {
    if (faultAt === undefined || sentAt < faultAt) return;
    awayMs.push(performance.now() - faultAt);
    faultAt = undefined;
  }

  async function recordOne(base: string, key: string): Promise<void> {
    const entry: Sent = { key, content: `file ${sent.length}, ${'x'.repeat(randomInt(20_000))}` };
    sent.push(entry);
    const body = toForm(entry.content, { entity: { role: 'human', name: 'Ann' } });
    const headers = { authorization: `Bearer ${key}` };
    const sentAt = performance.now();
    try {
      const answer = await fetch(`${base}/v1/activity`, { method: 'POST', headers, body });
      const acknowledged = await answer.json();
      count(answer.status);
      if (answer.status !== 201) return;
      entry.acknowledged = acknowledged;
      noteAnswered(sentAt);
    } catch {
      count('gone');
      await sleep(20);
    }
  }

  async function check(base: string, isDue: (entry: Sent) => boolean): Promise<void> {
    // The time of the check itself does not count as a fault.
    faultAt = undefined;
    for (const key of [KEY, OTHER_KEY]) {
      const own = sent.filter((entry) => entry.key === key);
      const read = reader(base, key);
      const place = { read, log: await trustedLog(read), findings };
      const due = own.filter(isDue);
      await eachOf(due, async (entry) => {
        entry.isThere = await isWhole(place, entry);
      });
      const readOther = reader(base, key === KEY ? OTHER_KEY : KEY);
      for (const { content } of due.slice(-20))
        if ((await readOther(`/v1/bundle/${nameOf(content)}`)).status !== 404) findings.otherTenant++;
      await checkLists(place, own.filter(({ isThere }) => isThere).length);
      heads.set(key, await readGrown(place, heads.get(key)));
    }
    expect(findings).toEqual(NONE);
  }

  return {
    get acknowledged() {
      return countAcknowledged();
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
    async untilAcknowledged(more) {
      const goal = countAcknowledged() + more;
      const end = performance.now() + MAX_WAIT_MS;
      while (countAcknowledged() < goal && performance.now() < end) await sleep(20);
      const answered = `answered so far: ${JSON.stringify([...statuses])}`;
      expect(countAcknowledged(), answered).toBeGreaterThanOrEqual(goal);
    },
    faultBegins() {
      faultAt = performance.now();
    },
    check: (base) => check(base, () => true),
    checkLatest: (base) => check(base, ({ isThere }) => isThere === undefined),
    report({ fault, how, rounds }) {
      const file = process.env.RELIABILITY_REPORT;
      if (!file) return;
      const { lost, doubled, halfWritten, brokenProofs, otherTenant } = findings;
      const found = [lost, doubled, halfWritten, brokenProofs, otherTenant];
      const path = /(?<=\/packages\/server\/test\/).*/.exec(expect.getState().testPath ?? '')?.[0];
      const cells = [fault, how, rounds, countAcknowledged(), ...found, showAway(awayMs), `\`${path}\``];
      appendFileSync(file, `| ${cells.join(' | ')} |\n`);
    },
  };
}

/** Returns the times in seconds. */
function showAway(awayMs: readonly number[]): string {
  const sorted = [...awayMs].sort((a, b) => a - b);
  const [median, most] = [sorted[sorted.length >> 1], sorted.at(-1)];
  if (median === undefined || most === undefined) return '';
  return `${(median / 1_000).toFixed(2)}; ${(most / 1_000).toFixed(2)}`;
}

type Read = (path: string) => Promise<Response>;

const reader =
  (base: string, key: string): Read =>
  (path) =>
    fetch(base + path, { headers: { authorization: `Bearer ${key}` } });

const verify = createVerifySignature();
const nameOf = (content: string) => `sha256:${createHash('sha256').update(content).digest('hex')}`;

/** Runs a few at a time. */
async function eachOf<T>(all: readonly T[], run: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async () => {
    for (const one of left) await run(one);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

interface Place {
  read: Read;
  log: TrustedLog;
  findings: Findings;
}

async function isWhole({ read, log, findings }: Place, { content, acknowledged }: Sent): Promise<boolean> {
  const answer = await read(`/v1/bundle/${nameOf(content)}`);
  if (answer.status === 404) {
    if (acknowledged !== undefined) findings.lost++;
    return false;
  }
  if (!answer.ok) throw new Error(`A bundle cannot be read: ${answer.status}`);
  const bundle = await answer.json();
  const counts = [bundle.actions?.length, bundle.resources?.length, bundle.attributions?.length];
  if (bundle.actions?.length > 1) findings.doubled++;
  else if (counts.some((count) => count !== 1)) findings.halfWritten++;
  const [first]: Action[] = bundle.actions ?? [];
  if (acknowledged !== undefined && (bundle.cid !== acknowledged.cid || first?.id !== acknowledged.actionId))
    findings.lost++;
  const stored = await read(`/v1/resource/${bundle.cid}/content`);
  if ((await stored.text()) !== content) findings[acknowledged === undefined ? 'halfWritten' : 'lost']++;
  const receipt = await (await read(`/v1/action/${first?.id}/receipt`)).json();
  if (!verifyReceipt(receipt, log, verify).verified) findings.brokenProofs++;
  return true;
}

/**
 * Each file has one action, and the log has a leaf for the action and the attribution of each file, and one for the
 * entity.
 */
async function checkLists({ read, findings }: Place, files: number): Promise<void> {
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await (await read(`/v1/actions?limit=200${cursor && `&cursor=${cursor}`}`)).json();
    for (const { id } of page.actions) {
      if (ids.has(id)) findings.doubled++;
      ids.add(id);
    }
    cursor = page.nextCursor;
  }
  if (ids.size > files) findings.doubled += ids.size - files;
  else findings.lost += files - ids.size;
  const { size } = await (await read('/v1/log')).json();
  if (size !== (files === 0 ? 0 : 2 * files + 1)) findings.halfWritten++;
}

async function readGrown({ read, findings }: Place, older: TreeHead | undefined): Promise<TreeHead> {
  const head = parseCheckpoint(await (await read('/v1/log/checkpoint')).text());
  if (head === undefined) throw new Error('The checkpoint cannot be read');
  if (older === undefined || older.size === 0) return head;
  const query = `from=${older.size}&to=${head.size}`;
  const { consistencyPath } = await (await read(`/v1/log/consistency?${query}`)).json();
  if (!verifyGrowth(older, head, consistencyPath.map(fromBase64)).verified) findings.brokenProofs++;
  return head;
}

async function trustedLog(read: Read): Promise<TrustedLog> {
  const trusted = parseTrustedLog((await (await read('/v1/log')).json()).verifierKey);
  if (trusted === undefined) throw new Error('The log has no key');
  return trusted;
}
