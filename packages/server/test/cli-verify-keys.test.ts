import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import vectors from '../../model/test/vectors/log-keys-v1.json' with { type: 'json' };
import { runCli } from './support/run-cli.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-verify-keys-'));
const history = path.join(folder, 'keys.json');
writeFileSync(history, vectors.history);
afterAll(() => rmSync(folder, { recursive: true }));

describe('`colophon verify --keys`', () => {
  it.each(vectors.documents)('reports the result of the vector: $name', async ({ text, keys, result }) => {
    const file = path.join(folder, 'receipt.json');
    writeFileSync(file, text);
    const options = [...keys.flatMap((key) => ['--key', key]), '--keys', history];
    const { status, stdout, stderr } = await runCli(['verify', file, ...options, '--json'], {});
    const report = result === 'verified' ? { verified: true } : { verified: false, code: result };
    expect(JSON.parse(stdout)).toMatchObject(report);
    expect(status).toBe(result === 'verified' ? 0 : 3);
    if (result !== 'verified') expect(JSON.parse(stderr).error.message).toContain(result);
  });

  it('explains a retired key in words', async () => {
    const retired = vectors.documents.find(({ result }) => result === 'retiredKey');
    const file = path.join(folder, 'retired.json');
    writeFileSync(file, retired?.text ?? '');
    const key = retired?.keys[0] ?? '';
    const { status, stdout } = await runCli(['verify', file, '--key', key, '--keys', history], {});
    expect([status, stdout]).toEqual([3, expect.stringMatching(/^A retired key signed a tree .+\n$/)]);
  });

  it('explains the reported code for COSE and tlog-proof, even if a second --key follows', async () => {
    const corpus = fileURLToPath(new URL('log/corpus/formats-1/receipts/', import.meta.url));
    const other = '07'.repeat(32);
    const ofOther = vectors.documents[0]?.keys[0] ?? '';
    for (const [name, ...options] of [
      ['entity.tlog-proof', '--digest', `sha256:${'00'.repeat(32)}`],
      ['entity.cose'],
    ] as const) {
      const file = path.join(corpus, name);
      const { status, stdout, stderr } = await runCli(
        ['verify', file, '--key', ofOther, '--key', other, ...options],
        {},
      );
      expect([status, stderr]).toEqual([3, expect.stringContaining('otherOrigin')]);
      expect(stdout).toContain('belongs to another log');
    }
  });
});
