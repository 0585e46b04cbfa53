import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import vectors from '../../model/test/vectors/proven-bundles-v2.json' with { type: 'json' };
import { describeSignedOnly } from '../src/cli/describe-signed-only.js';
import { formatExplanation } from '../src/cli/explanation.js';
import { runCli } from './support/run-cli.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-signed-only-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('`colophon verify` of a bundle', () => {
  const explain = async (vector: string) => {
    const file = path.join(folder, 'bundle.json');
    writeFileSync(file, vectors.documents.find(({ name }) => name === vector)?.text ?? '');
    const { stdout } = await runCli(['verify', file, '--key', vectors.key], {});
    return stdout.split('\n').map((line) => line.replace(file, 'FILE'));
  };

  it('reports that only the service signed an alias, so the history may belong to another content', async () => {
    const origin = vectors.key.split('+')[0];
    expect(await explain('the history of another content, by an alias of the service')).toEqual([
      'FILE verifies.',
      `proven       the 10 records of other, exactly as in the file, are in the log ${origin}. No action and no attribution is left out among the first 15 leaves`,
      "signed by    the log's key 2c9bb1c6, given with --key",
      'as of        a tree of 16 leaves; no proven time',
      'not checked  members that only the service signed: aliases (identifiers of the same content); whether the log shows everybody the same tree (compare checkpoints)',
      '',
    ]);
  });

  it('reports no member as not checked when the log proves all members', async () => {
    const [line] = (await explain('no alias, in a list')).slice(4);
    expect(line).toMatch(/^not checked {2}whether the log shows/);
  });
});

describe('the explanation of a document', () => {
  it('does not begin a new line at a line break in an id', () => {
    const facts = { name: 'f', signedBy: 'k', times: [], untimed: 'no proven time', notChecked: [] };
    const text = formatExplanation({ ...facts, proven: 'the action a\nas of        1999 is in the log' });
    expect(text.match(/\n/g)).toHaveLength(5);
    expect(text).toContain('the action a\ufffdas of');
  });
});

describe('the names of members that only the service signed', () => {
  it('are escaped and cut, because the bundle chooses them', () => {
    expect(describeSignedOnly(['constructor', 'a\nb', '\u001b[2J', '\u202e'])).toBe(
      String.raw`members that only the service signed: constructor, "a\nb", "\u001b[2J", "\u202e"`,
    );
    expect(describeSignedOnly(['x'.repeat(1_000)]).length).toBeLessThan(100);
    const many = Array.from({ length: 25 }, (_, place) => `m${place}`);
    expect(describeSignedOnly(many)).toMatch(/m19 and 5 more$/);
  });
});
