import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMediaFiles } from '../../../server/test/support/media-files.js';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
  toForm,
} from '../../../server/test/support/service.js';
import { keepPicture, openBrowser, openPage } from '../support/browser.js';
import { markTexts, splitMarked } from '../support/mark-texts.js';
import { makePhoto } from '../support/photo.js';

/** Names of files, people, tools and signers, units, and methods of the search. */
const DATA = new Set(
  [
    'photo.jpg signed.jpg derived.jpg altered.jpg film.mp4 picture.avif unknown.jpg recorded.jpg copy.jpg kB',
    'Colophon development Studio Ann of the studio Acme fill Dusk filter Cover page',
    'AI GENERATED MODIFIED',
  ]
    .join(' ')
    .split(' '),
);

const ANN = { id: 'studio:ann', role: 'human', name: 'Ann of the studio' };
const CLAIMS = { entityId: ANN.id, generator: 'Studio 4', aiDisclosure: 'ai_generated' };

interface Sample {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

describe('the languages of the page `Check a file`', () => {
  let service: Service;
  let browser: Browser;
  let samples: Sample[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    await service.send('/v1/entity', jsonPost(ANN));
    const sign = async (bytes: Uint8Array, actions: object[]) => {
      const made = await service.send('/v1/media/embed', {
        method: 'POST',
        body: toForm(bytes, { ...CLAIMS, actions }),
        headers: { accept: 'application/octet-stream' },
      });
      if (made.status !== 201) throw new Error(await made.text());
      return Buffer.from(await made.arrayBuffer());
    };
    const files = new Map((await makeMediaFiles()).map((file) => [file.name, file.bytes]));
    const ofFormat = (name: string) => files.get(name) ?? Buffer.alloc(0);
    const signed = await sign(await makePhoto(), [{ action: 'c2pa.created' }, { action: 'com.acme.own' }]);
    const colours = { action: 'c2pa.color_adjustments', description: 'Dusk filter' };
    const derived = await sign(signed, [{ action: 'c2pa.opened' }, colours]);
    const altered = Buffer.from(signed);
    const at = altered.length - 400;
    altered[at] = (altered[at] ?? 0) ^ 1;
    const photo = await makePhoto({ hue: 200 });
    const source = await (await service.upload(await makePhoto({ hue: 90 }))).json();
    await service.upload(photo, {
      entity: { id: ANN.id, role: 'human', name: ANN.name },
      action: { type: 'transform', inputCids: [source.cid], aiTool: { provider: 'Acme', model: 'fill' } },
    });
    const { default: sharp } = await import('sharp');
    const copy = await sharp(photo).resize({ width: 420 }).jpeg({ quality: 60 }).toBuffer();
    const jpeg = 'image/jpeg';
    samples = [
      { name: 'signed.jpg', mimeType: jpeg, buffer: signed },
      { name: 'derived.jpg', mimeType: jpeg, buffer: derived },
      { name: 'altered.jpg', mimeType: jpeg, buffer: altered },
      { name: 'film.mp4', mimeType: 'video/mp4', buffer: await sign(ofFormat('MP4'), [colours]) },
      { name: 'picture.avif', mimeType: 'image/avif', buffer: await sign(ofFormat('AVIF'), [colours]) },
      { name: 'unknown.jpg', mimeType: jpeg, buffer: await makePhoto({ hue: 300 }) },
      { name: 'recorded.jpg', mimeType: jpeg, buffer: photo },
      { name: 'copy.jpg', mimeType: jpeg, buffer: copy },
    ];
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const findPlainWords = async (page: Page): Promise<string[]> => {
    const [text = ''] = await page.locator('.result').allInnerTexts();
    const times = await page.locator('.result time').allInnerTexts();
    const { inside, outside } = splitMarked(times.reduce((left, time) => left.replace(time, ''), text));
    expect(inside.length).toBeGreaterThan(100);
    const words = outside.replace(/…\w+/g, '').match(/\p{L}[\p{L}\p{N}:.-]*\p{L}[\p{L}\p{N}]*/gu) ?? [];
    return words.filter((word) => !DATA.has(word));
  };

  const openMarked = async (address: string) => {
    const opened = await openPage(browser, `${service.base}${address}`);
    await opened.page.getByRole('heading', { name: 'Check a file' }).waitFor();
    await markTexts(opened.page);
    await opened.page.getByText('Deutsch', { exact: true }).click();
    await opened.page.getByRole('heading', { name: '⟦Datei prüfen⟧' }).waitFor();
    return opened;
  };

  it.each(['/app/', `/app/check#key=${KEY}`])('leave no English words on a result: %s', async (address) => {
    const { page, faults } = await openMarked(address);
    for (const sample of samples) {
      await page.locator('input[type=file]').first().setInputFiles(sample);
      await page.getByRole('region', { name: sample.name }).locator('.notice').first().waitFor();
      expect([sample.name, await findPlainWords(page)]).toEqual([sample.name, []]);
      if (!address.includes('key')) continue;
      await page
        .getByRole('button', { name: /Mit dem Dienst prüfen|Nach veränderten Kopien suchen/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Noch einmal prüfen' }).waitFor();
      expect([sample.name, await findPlainWords(page)]).toEqual([sample.name, []]);
    }
    await keepPicture(page, 'check-marked');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each([
    [
      'de',
      'Ann of the studio erstellte diese Datei durch Bearbeiten einer anderen Datei mit KI (Acme fill). ',
    ],
    ['fr', 'Ann of the studio a modifié un autre fichier pour créer ce fichier avec l’IA (Acme fill). '],
    ['es', 'Ann of the studio editó otro archivo para crear este archivo con IA (Acme fill). '],
    ['it', 'Ann of the studio ha modificato un altro file per creare questo file con l’IA (Acme fill). '],
    ['pl', 'Ann of the studio edytował(a) inny plik i utworzył(a) ten plik z użyciem AI (Acme fill). '],
  ])('form a whole sentence about a recorded edit: %s', async (locale, sentence) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`, { locale });
    const file = samples.find(({ name }) => name === 'recorded.jpg') as Sample;
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByText(sentence).first().waitFor();
    await keepPicture(page, `check-edit-${locale}`);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
