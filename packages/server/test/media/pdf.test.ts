import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareAppending } from '../../src/media/pdf/append-manifest.js';
import { define } from '../support/manifests.js';
import { type MediaDesk, openMediaDesk } from '../support/media-desk.js';
import { HAS_REAL_FILES, makePdf, readFixture, realFile } from '../support/media-files.js';
import { trustAnchorPem } from '../support/signers.js';

const PDF = 'application/pdf';
const HAS_QPDF = runs('qpdf', '--version');
let desk: MediaDesk;

beforeAll(async () => {
  desk = await openMediaDesk();
});

afterAll(() => desk.close());

function runs(command: string, ...parameters: string[]): boolean {
  try {
    execFileSync(command, parameters, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function qpdf(bytes: Uint8Array, ...parameters: string[]): string {
  return execFileSync('qpdf', [...parameters, desk.write(bytes)], { encoding: 'utf8' });
}

const ENCRYPTED = ['aes-128', 'aes-256-r5', 'aes-256'];
const KINDS: [string, () => Promise<Buffer>][] = [
  ['with a cross-reference table', () => makePdf()],
  ['with a cross-reference stream', () => makePdf({ objectStreams: true })],
  ['with an attachment', () => makePdf({ attachment: true })],
  ['with an attachment in an object stream', () => makePdf({ attachment: true, objectStreams: true })],
  ['without a line end at its end', async () => (await makePdf()).subarray(0, -1)],
  ...ENCRYPTED.map((name): [string, () => Promise<Buffer>] => [
    `encrypted by ${name} without a password`,
    async () => readFixture(`encrypted-pdf/${name}.pdf`),
  ]),
];

describe.each(KINDS)('a PDF %s', (_, make) => {
  it('is signed, and the signed file begins with every original byte', async () => {
    const original = await make();
    const { signed, store } = await desk.sign(original, PDF, { trustAnchorsPem: trustAnchorPem });
    expect(store.validation_state).toBe('Trusted');
    expect(signed.subarray(0, original.length).equals(original)).toBe(true);
    expect(signed.length).toBeGreaterThan(original.length);
  });

  it('keeps its first signed version and manifest when it is signed again', async () => {
    const first = await desk.sign(await make(), PDF);
    const definition = define({ action: 'c2pa.edited' });
    const second = await desk.sign(first.signed, PDF, { definition, trustAnchorsPem: trustAnchorPem });
    expect(second.signed.subarray(0, first.signed.length).equals(first.signed)).toBe(true);
    expect(second.store.validation_state).toBe('Trusted');
    expect(Object.keys(second.store.manifests)).toHaveLength(2);
  });

  it.skipIf(!HAS_QPDF)(
    'is valid for another program, which lists the manifest once if the PDF is not encrypted',
    async () => {
      const original = await make();
      const first = await desk.sign(original, PDF);
      const second = await desk.sign(first.signed, PDF, { definition: define({ action: 'c2pa.edited' }) });
      for (const { signed } of [first, second]) {
        expect(qpdf(signed, '--check')).toContain('No syntax or stream encoding errors');
        expect(qpdf(signed, '--show-npages').trim()).toBe('1');
      }
      const json = JSON.stringify(JSON.parse(qpdf(second.signed, '--json=2', '--json-key=qpdf')));
      expect(json).toContain('u:content_credential.c2pa');
      const before = qpdf(original, '--list-attachments')
        .split('\n')
        .filter((line) => line.includes('->'));
      const after = qpdf(second.signed, '--list-attachments')
        .split('\n')
        .filter((line) => line.includes('->'));
      for (const attachment of before) expect(after.join()).toContain(attachment.split(' ')[0]);
      if (!original.includes('/Encrypt'))
        expect(after.filter((line) => line.startsWith('Content Credentials'))).toHaveLength(1);
    },
  );
});

describe('422 and no output file for a PDF', () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    ...[
      ['with 40 bit encryption', 'rc4-40', 'old encryption'],
      ['with 128 bit RC4 encryption', 'rc4-128', 'old encryption'],
      ['that needs a password (AES-128)', 'aes-128-password', 'password'],
      ['that needs a password (AES-256)', 'aes-256-password', 'password'],
    ].map(([title = '', name, says = '']): [string, () => Promise<Buffer>, string] => [
      title,
      async () => readFixture(`encrypted-pdf/${name}.pdf`),
      says,
    ]),
    ['that is certified against changes', makeCertified, 'certified'],
    ['that ends early', async () => (await makePdf()).subarray(0, -60), 'damaged'],
    [
      'whose pointer to the cross-reference table is wrong',
      async () => replaced(await makePdf(), /startxref\n\d+/, 'startxref\n17'),
      'damaged',
    ],
    ['that ends after its header', async () => Buffer.from('%PDF-1.7\n'), 'damaged'],
  ])('%s', async (_, make, says) => {
    const outputPath = desk.newPath();
    const signing = desk.sign(await make(), PDF, { outputPath }).then(({ sizeBytes }) => sizeBytes);
    await expect(signing).rejects.toMatchObject({
      code: 'ValidationError',
      status: 422,
      message: expect.stringContaining(says),
    });
    expect(existsSync(outputPath)).toBe(false);
  });
});

describe.skipIf(!HAS_REAL_FILES)('a real PDF', () => {
  it.each(['basic.pdf', 'basic-attachments.pdf', 'basic-signed.pdf'])('%s keeps its bytes', async (name) => {
    const original = readFileSync(realFile(`unsigned/${name}`));
    const { signed } = await desk.sign(original, PDF);
    expect(signed.subarray(0, original.length).equals(original)).toBe(true);
    if (HAS_QPDF) expect(qpdf(signed, '--check')).toContain('No syntax or stream encoding errors');
  });

  it('that needs a password is rejected', async () => {
    const original = readFileSync(realFile('unsigned/basic-password.pdf'));
    await expect(desk.sign(original, PDF)).rejects.toMatchObject({ code: 'ValidationError' });
  });
});

/** The new text has the same length, so that the offsets in the table stay correct. */
function replaced(pdf: Buffer, what: RegExp, by: string): Buffer {
  const text = pdf.toString('latin1');
  const found = what.exec(text)?.[0] ?? '';
  return Buffer.from(text.replace(found, by.padEnd(found.length)), 'latin1');
}

async function makeCertified(): Promise<Buffer> {
  const pdf = await makePdf();
  return replaced(pdf, /\/Type \/Catalog\n\/Pages \d+ 0 R/, '/Perms<</DocMDP 9 0 R>>');
}

describe('a PDF whose compressed parts unpack to far more than its size', () => {
  it('is rejected before the parts are unpacked completely', async () => {
    const spaces = deflateSync(Buffer.alloc(256 * 1024 * 1024, ' '));
    const head = `5 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${spaces.length} >>\nstream\n`;
    const bomb = Buffer.concat([Buffer.from(head), spaces, Buffer.from('\nendstream\nendobj\n')]);
    const pdf = await makePdf();
    const at = pdf.indexOf('1 0 obj');
    const before = process.memoryUsage.rss();
    let highest = before;
    const timer = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage.rss());
    }, 5);
    const wholePdf = Buffer.concat([pdf.subarray(0, at), bomb, pdf.subarray(at)]);
    await expect(
      prepareAppending(moveCrossReference(wholePdf, bomb.length), new Date()),
    ).rejects.toMatchObject({
      code: 'ValidationError',
      message: expect.stringContaining('too large after decompression'),
    });
    clearInterval(timer);
    expect(highest - before).toBeLessThan(256 * 1024 * 1024);
  });
});

/** Corrects the pointer to the cross-reference table. */
function moveCrossReference(pdf: Buffer, byBytes: number): Buffer {
  const text = pdf.toString('latin1');
  return Buffer.from(
    text.replace(/startxref\s+(\d+)/, (_, at) => `startxref\n${Number(at) + byBytes}`),
    'latin1',
  );
}
