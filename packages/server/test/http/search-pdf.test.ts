import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { readPdfText } from '../../src/search/text/read-pdf-text.js';
import { makePdfPage } from '../support/pdf-pages.js';
import { ANY_ENGINE, OTHER_KEY, type Service, startService } from '../support/service.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-pdf-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, script: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** The limits in KiB. Only Linux enforces them. */
const LINUX_LIMITS =
  process.platform === 'linux'
    ? { names: ' $(ulimit -v) $(ulimit -d)', values: ' 524288 131072' }
    : { names: '', values: '' };

/** Reads only the PDFs of `makePdfPage`, and only with the expected flags and limits. */
const SUBSTITUTE = program(
  'pdftotext',
  `[ "$(ulimit -f) $(ulimit -t)${LINUX_LIMITS.names}" = "0 5${LINUX_LIMITS.values}" ] && [ "$*" = "-q -enc UTF-8 -nopgbrk -l 100 /dev/fd/3 -" ] &&
    /bin/grep -q '^xref' /dev/fd/3 && /bin/sed -n 's/^(\\(.*\\)) Tj T\\*$/\\1/p' /dev/fd/3`,
);
const { pdftotext } = readConfig({ PATH: process.env.PATH }).search;

const wordOf = (name: string, number: number) =>
  createHash('sha256').update(`${name} ${number}`).digest('hex').slice(0, 7);
/** No other story has these words. */
const storyOf = (name: string) =>
  Array.from({ length: 12 }, (_, line) =>
    Array.from({ length: 8 }, (_item, word) => wordOf(name, 8 * line + word)).join(' '),
  );

const form = (content: Uint8Array): RequestInit => {
  const body = new FormData();
  body.set('file', new Blob([content as BlobPart]), 'file');
  return { method: 'POST', body };
};

it.each(['exit 126', 'exit 127'])(
  'a pdftotext that does not start is an error, not a damaged PDF: %s',
  (script) => {
    expect(() => readPdfText(program('broken', script), new Uint8Array(1))).toThrow('pdftotext did not run');
  },
);

describe.each([
  ['a substitute', SUBSTITUTE],
  ['the program of this machine', pdftotext],
])('a search for a known PDF, with %s', (_name, PDFTOTEXT) => {
  if (PDFTOTEXT === undefined) return it.skip('pdftotext is not installed', () => {});
  let service: Service;
  let cid: string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { PDFTOTEXT, MATCH_WAIT_MS: '10000' } });
    ({ cid } = await (await service.upload(makePdfPage(storyOf('Anna')))).json());
    await service.upload(makePdfPage(storyOf('Bert')));
  });
  afterAll(() => service.stop());

  const search = async (content: Uint8Array, headers: Record<string, string> = {}) =>
    (await service.send('/v1/search/file', { ...form(content), headers })).json();
  const found = (verdict: string) => ({ verdict, matches: [expect.objectContaining({ cid })] });

  it('200 auto: finds the PDF with another page size, and by its plain text', async () => {
    expect(await search(makePdfPage(storyOf('Anna'), [612, 792]))).toEqual(found('auto'));
    expect(await search(Buffer.from(storyOf('Anna').join('\n')))).toEqual(found('auto'));
  });

  it('200 no-match: another text, and another project', async () => {
    expect((await search(makePdfPage(storyOf('Carl')))).verdict).toBe('no-match');
    const copy = makePdfPage(storyOf('Anna'), [612, 792]);
    expect((await search(copy, { authorization: `Bearer ${OTHER_KEY}` })).verdict).toBe('no-match');
  });

  it('422: a PDF without text, and a damaged PDF', async () => {
    const whole = makePdfPage(storyOf('Dora'));
    for (const content of [makePdfPage([]), Buffer.concat([whole.subarray(0, 100), Buffer.alloc(500)])]) {
      const answer = await service.send('/v1/search/file', form(content));
      expect([answer.status, (await answer.json()).error.code]).toEqual([422, 'ValidationError']);
    }
  });
});

describe('the text of a PDF', () => {
  it('has at most 1 MiB, and is undefined when the program fails', () => {
    const endless = program('endless', 'while :; do echo "a long text of many words"; done');
    expect(readPdfText(endless, new Uint8Array(1))).toHaveLength(2 ** 20);
    expect(readPdfText(program('failing', 'exit 3'), new Uint8Array(1))).toBeUndefined();
  });
});

describe('a PDF, without pdftotext', () => {
  it('415: cannot be compared when its bytes are not recorded, and the error names the program', async () => {
    const service = await startService(ANY_ENGINE, { environment: { PDFTOTEXT: 'off' } });
    try {
      const answer = await service.send('/v1/search/file', form(makePdfPage(storyOf('Anna'))));
      const { error } = await answer.json();
      expect([answer.status, error.code]).toEqual([415, 'Unsupported']);
      expect(error.recovery).toContain('pdftotext');
    } finally {
      await service.stop();
    }
  });
});
