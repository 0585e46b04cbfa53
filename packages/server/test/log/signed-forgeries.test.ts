import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject, JsonValue } from '@colophon/model';
import { afterAll, expect, it } from 'vitest';
import { HAS_PYTHON_CRYPTOGRAPHY } from '../support/programs.js';
import { createRandom, mutateText, mutateValue } from './mutate-document.js';
import { type Case, reportByModel, reportByPython, toResult } from './python-tool.js';

interface ForgeLog {
  LOG_KEY: string;
  signAgain(bundle: JsonObject): JsonObject;
  makeReceipt(record: JsonObject): JsonObject;
}
interface ForgeBundles {
  bundlesOf(version: 1 | 2): Promise<JsonObject[]>;
}
interface Bundles {
  RECORDS: { kind: string; body: JsonObject; salts: Record<string, string> }[];
}
const load = async <Module>(name: string): Promise<Module> => import(`./corpus/${name}.mjs`);

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-forgeries-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Random = ReturnType<typeof createRandom>;
const HASH = `${'A'.repeat(43)}=`;
const POINTERS = [
  '',
  '/',
  'note',
  '/note',
  '/note~2',
  '/a~2',
  '/a~1b',
  '/x',
  '/note/x',
  '/erasure',
  '/name',
  '/~',
];
const VALUES: JsonValue[] = ['mine', { c: HASH }, { c: HASH, d: 1 }, { c: 'AAAA' }, null, {}, [], 7];

function mutateFields(text: string, { pick, below }: Random): string {
  const bundle = JSON.parse(text);
  const list: JsonObject[] = bundle[pick(['entities', 'actions', 'attributions'])];
  // Records with personal fields have more to change.
  const personal = [...bundle.entities, ...bundle.attributions].filter(
    (one: JsonObject) => 'note' in one || 'name' in one || 'erasure' in one,
  );
  const record: JsonObject = pick([...list.slice(0, 1), ...personal, ...personal, {}]);
  const proof = pick<JsonObject>(
    bundle.proof.records.filter(({ id }: JsonObject) => record.id === undefined || id === record.id),
  );
  for (let count = below(2); count >= 0; count--)
    pick([
      () => {
        const gone = list.splice(below(list.length + 1), 1).map(({ id }) => id);
        bundle.proof.records = bundle.proof.records.filter(
          ({ id }: JsonObject) => !gone.includes(id ?? null),
        );
      },
      () => assign(proof, 'erased', {}),
      () => assign(proof, 'erased', { ...(proof.erased as JsonObject), [pick(POINTERS)]: HASH }),
      () => assign(proof, 'salts', pick<JsonValue>([{}, { [pick(POINTERS)]: 'AAAAAAAAAAAAAAAAAAAAAA==' }])),
      () => assign(record, pick(['note', 'name', 'wallet', 'metadata', 'erasure']), pick(VALUES)),
      () => assign(record, pick(['digest', 'locations', 'recordedAt', 'onchain', 'x']), pick(VALUES)),
      () => assign(bundle, 'aliases', { [pick(['made', 'other', 'source'])]: pick(['made', 'x', 'later']) }),
      () => assign(bundle, pick(['resources', 'extra', 'complete']), pick<JsonValue>([false, true, []])),
    ])();
  return JSON.stringify(bundle);
}

function mutateRecord(text: string, random: Random): string {
  if (random.below(3) > 0) return mutateValue(text, random);
  const record = JSON.parse(text);
  const member = random.pick(['digest', 'locations', 'recordedAt', 'onchain', 'note', 'name', 'erasure']);
  assign(record.body, member, random.pick(VALUES));
  return JSON.stringify(record);
}

function assign(owner: JsonObject, name: string, value: JsonValue): void {
  owner[name] = value;
}

/** Returns undefined if the text cannot be signed. */
function signText(text: string, { signAgain }: ForgeLog): string | undefined {
  try {
    return JSON.stringify(signAgain(JSON.parse(text)));
  } catch {
    return undefined;
  }
}

/** Returns the number of documents with each result. */
function compare(cases: readonly Case[]): Map<string, number> {
  const theirs = reportByPython(cases, folder);
  const counts = new Map<string, number>();
  const differing = cases.flatMap((one, index) => {
    const [ours, other] = [reportByModel(one), theirs[index]];
    const result = toResult(ours);
    counts.set(result, (counts.get(result) ?? 0) + 1);
    const isSame =
      other !== undefined &&
      toResult(other) === result &&
      (!ours.verified || !other.verified || String(ours.signedOnly) === String(other.signedOnly));
    return isSame ? [] : [{ ours, theirs: other, ...one }];
  });
  expect(differing.slice(0, 3)).toEqual([]);
  return counts;
}

it.runIf(HAS_PYTHON_CRYPTOGRAPHY).each([1, 2] as const)(
  'both verifiers agree on changed bundles of version %d that the log has signed again',
  { timeout: 120_000 },
  async (version) => {
    const [forge, { bundlesOf }] = [
      await load<ForgeLog>('forge-log'),
      await load<ForgeBundles>('forge-bundles-v2'),
    ];
    const texts = (await bundlesOf(version)).map((bundle) => JSON.stringify(bundle));
    const random = createRandom(200 + version);
    const cases = Array.from({ length: 1_200 }, (_, index): Case => {
      const change = index % 2 === 0 ? mutateFields : mutateValue;
      const text = change(random.pick(texts), random);
      return { text: signText(text, forge) ?? text, key: forge.LOG_KEY, strict: index % 3 === 0 };
    });
    const counts = compare(cases);
    const unsigned = (counts.get('badBundleSignature') ?? 0) + (counts.get('notSigned') ?? 0);
    expect(unsigned).toBeLessThan(120);
    const reached = [
      'digestMismatch',
      'otherKind',
      'unprovenRecord',
      'notIncluded',
      'otherMentions',
      'malformed',
    ];
    for (const code of [...reached, 'otherStatement', 'unstatedName', 'leftOut', 'unusedSalt', 'verified'])
      expect(counts.get(code) ?? 0, code).toBeGreaterThan(0);
  },
);

it.runIf(HAS_PYTHON_CRYPTOGRAPHY)(
  'both verifiers agree on receipts of changed records, each in a log with only this leaf',
  { timeout: 120_000 },
  async () => {
    const [forge, { RECORDS }] = [await load<ForgeLog>('forge-log'), await load<Bundles>('bundles-v2')];
    const texts = RECORDS.map(({ kind, body, salts }) => JSON.stringify({ kind, body, salts }));
    const random = createRandom(203);
    const cases = Array.from({ length: 1_200 }, (_, index): Case => {
      const changed = mutateRecord(random.pick(texts), random);
      const text = makeText(changed, forge) ?? changed;
      return {
        text: index % 10 === 0 ? mutateText(text, random) : text,
        key: forge.LOG_KEY,
        strict: index % 3 === 0,
      };
    });
    const counts = compare(cases);
    for (const code of [
      'verified',
      'otherKind',
      'malformed',
      'uncommittedMember',
      'unusedSalt',
      'verified unusedSalt',
    ])
      expect(counts.get(code) ?? 0, code).toBeGreaterThan(0);
    expect(counts.get('digestMismatch') ?? 0).toBeLessThan(120);
  },
);

function makeText(record: string, { makeReceipt }: ForgeLog): string | undefined {
  try {
    return JSON.stringify(makeReceipt(JSON.parse(record)));
  } catch {
    return undefined;
  }
}
