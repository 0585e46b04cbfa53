import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flipContent, type MediaFile, makeMediaFiles } from '../../../server/test/support/media-files.js';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
  toForm,
} from '../../../server/test/support/service.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';
import { makePhoto } from '../support/photo.js';

describe('the page `Check a file`', () => {
  let service: Service;
  let browser: Browser;
  /** Made with AI, signed by the service and recorded. `altered` has one changed byte. */
  let signed: Buffer;
  let altered: Buffer;
  /** Made from `signed`, and names it as its earlier version. */
  let derived: Buffer;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(ANY_ENGINE), openBrowser()]);
    await service.send(
      '/v1/entity',
      jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann of the studio' }),
    );
    const json = {
      entityId: 'studio:ann',
      generator: 'Studio 4',
      title: 'Harbour at dusk',
      aiDisclosure: 'ai_generated',
      actions: [{ action: 'c2pa.created' }, { action: 'c2pa.color_adjustments' }],
    };
    signed = await sign(await makePhoto(), json);
    derived = await sign(signed, { ...json, actions: [{ action: 'c2pa.cropped' }] });
    altered = Buffer.from(signed);
    const at = altered.length - 400;
    altered[at] = (altered[at] ?? 0) ^ 1;
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function sign(bytes: Uint8Array, claims: object): Promise<Buffer> {
    const made = await service.send('/v1/media/embed', {
      method: 'POST',
      body: toForm(bytes, claims),
      headers: { accept: 'application/octet-stream' },
    });
    if (made.status !== 201) throw new Error(await made.text());
    return Buffer.from(await made.arrayBuffer());
  }

  const toFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });
  const drop = (page: Page, name: string, bytes: Buffer) =>
    page.getByLabel('Drop a file').setInputFiles(toFile(name, bytes));
  const asked = (page: Page) => {
    const paths: string[] = [];
    page.on('request', (request) => {
      const { pathname, protocol } = new URL(request.url());
      if (protocol === 'blob:') return; // the page itself, showing a picture
      if (!pathname.startsWith('/app/'))
        paths.push(
          `${request.method()} ${pathname.replace(/\bbaf\w+/, '<cid>').replace(/[\da-f]{8}-[-\da-f]{27}/, '<id>')}`,
        );
    });
    return paths;
  };

  it('shows the credentials of a file without a key, and sends no request outside `/app`', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    const paths = asked(page);
    await drop(page, 'holiday.jpg', signed);
    await page.getByText(/^Unchanged since it was signed, but it is not known who/).waitFor();
    await page.locator('.result-parts').getByText('AI-generated', { exact: true }).waitFor();
    await page.getByText('Colours adjusted').waitFor();
    await page.getByText('To search the records of your project:').waitFor();
    expect(await page.getByRole('button', { name: 'Check with the service' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(paths).toEqual([]);
    const offer = page.locator('section.card', {
      has: page.getByRole('heading', { name: 'Ask the service' }),
    });
    await offer.getByRole('button', { name: 'Sign in or enter a project key' }).click();
    await page.getByLabel('Project key').fill(KEY);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByRole('region', { name: 'holiday.jpg' }).getByText('Check with the service').waitFor();
    expect(page.url()).toMatch(/\/app\/check\?cid=baf/);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)(
    'shows the maker, the action and the proof of a recorded picture: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`, look);
      const paths = asked(page);
      await drop(page, 'holiday.jpg', signed);
      await page
        .getByText(
          /^Ann of the studio generated this file with AI from another file, and it is unchanged since\.$/,
        )
        .waitFor();
      await page.locator('.result-parts').getByText('AI-generated', { exact: true }).waitFor();
      await page.getByText('Proof', { exact: true }).click();
      await page.getByText(/entry \d+ of \d+ in the signed log of the service/).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `check-recorded-${name}`);
      expect(new Set(paths)).toEqual(
        new Set(['GET /v1/bundle/<cid>', 'GET /v1/action/<id>/receipt', 'GET /v1/log', 'POST /v1/titles']),
      );
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('warns about an altered picture, and then shows the verdict `invalid` of the service', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    await drop(page, 'holiday.jpg', altered);
    await page.getByText('Do not rely on this file: it was altered after it was signed.').waitFor();
    const claim = page.getByText(/^The broken signature names “.+”\. This is only a claim/);
    await claim.waitFor();
    await page.getByText('Your project has no record of this file.').waitFor();
    expect(await page.getByText('AI-generated').count()).toBe(0);
    await page.getByRole('button', { name: 'Check with the service' }).click();
    await page.getByText('Altered or damaged: do not rely on these credentials').first().waitFor();
    await claim.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'check-altered');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)(
    'sends the file only on request, and then shows similar content: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`, look);
      const { default: sharp } = await import('sharp');
      const smaller = await sharp(signed).resize({ width: 420 }).jpeg({ quality: 60 }).toBuffer();
      const paths = asked(page);
      await drop(page, 'copy.jpg', smaller);
      const card = page.locator('.verdict').first();
      await card.getByText('Your project has no exact copy of this file.').waitFor();
      await card.getByText(/^Only exact copies were looked up\./).waitFor();
      await card.getByText(/^For this search, your browser sends the whole file/).waitFor();
      await page.getByText('The file may still be made with AI.').waitFor();
      expect(paths.filter((path) => path.startsWith('POST'))).toEqual([]);
      await keepPicture(page, `check-no-copy-${name}`);
      await card.getByRole('button', { name: 'Search for altered copies' }).click();
      await card.getByText(/This file resembles “Harbour at dusk”/).waitFor();
      expect(await card.getByRole('button').count()).toBe(0);
      await page.getByText('The service found no Content Credentials in the file. This does not').waitFor();
      await page.getByText(/^Similar recorded content found: \d\.$/).waitFor();
      await page.getByRole('img', { name: 'Recorded' }).first().waitFor();
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `check-similar-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('shows the verdict `valid` of the service on a signed picture in words', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    await drop(page, 'holiday.jpg', signed);
    await page.getByText(/unchanged since\.$/).waitFor();
    await page.getByRole('button', { name: 'Check with the service' }).click();
    const answer = page.locator('section.card', {
      has: page.getByRole('heading', { name: 'Ask the service' }),
    });
    await answer.getByText('The service looked for Content Credentials in the file').waitFor();
    await answer.getByText('Signature intact, signer not verified.').waitFor();
    expect(await page.getByRole('img', { name: 'Recorded' }).count(), 'the file as a match of itself').toBe(
      0,
    );
    await keepPicture(page, 'check-valid');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('states that nothing is known about a file of an unsupported format', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    await page.getByLabel('Drop a file').setInputFiles({
      name: 'data.bin',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from([0, 1, 2]),
    });
    await page.getByText('Your project has no exact copy of this file.').waitFor();
    await page.getByRole('button', { name: 'Search for altered copies' }).click();
    await page.getByText('Nothing is known about this file here.').waitFor();
    expect(await page.getByText('The service cannot compare files of this kind').count()).toBe(1);
    await page.getByText('in files of this kind. This does not show where the file comes from').waitFor();
    await page.getByText('The service cannot compare files of this kind or size.').first().waitFor();
    expect(await page.getByText('The service reads more formats').count()).toBe(0);
    await page.getByRole('link', { name: 'Record this file' }).click();
    await page.getByRole('heading', { name: 'Record a file' }).waitFor();
    await page.getByText('data.bin').first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)(
    'shows one verdict with the label for AI, and the earlier version with its picture: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/`, look);
      await drop(page, 'crop.jpg', derived);
      const card = page.locator('.verdict').first();
      await card.getByText('AI-generated', { exact: true }).waitFor();
      await card.getByText(/^“.*”, not verified$/).waitFor();
      expect(await card.locator('.notice.good').count()).toBe(0);
      const tree = page.locator('section.card', { has: page.getByRole('heading', { name: 'Made from' }) });
      await tree.getByText('Earlier version').waitFor();
      await tree.getByText(/^Steps: Created/).waitFor();
      await expect
        .poll(() =>
          tree
            .locator('img')
            .evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0).length),
        )
        .toBe(2);
      expect(await findBarriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await keepPicture(page, `check-verdict-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it.each(['GIF', 'TIFF', 'SVG', 'WAV', 'AVI', 'FLAC', 'JPEG XL'])(
    'reads the credentials of a signed %s file, and calls a changed copy altered, as the service does',
    async (format) => {
      const file = (await makeMediaFiles()).find(({ name }) => name === format) as MediaFile;
      const json = { entityId: 'studio:ann', generator: 'Studio 4', aiDisclosure: 'ai_generated' };
      const whole = await sign(file.bytes, json);
      const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
      await drop(page, 'whole.bin', whole);
      const credentials = page.locator('section.card', {
        has: page.getByRole('heading', { name: 'Content Credentials in the file' }),
      });
      await credentials.getByText('Studio 4').waitFor();
      await credentials.getByText('Your browser checked that the file is unchanged').waitFor();
      await drop(page, 'changed.bin', flipContent(file, whole));
      await page.getByText('Do not rely on this file: it was altered after it was signed.').waitFor();
      await credentials.getByText('The Content Credentials do not match the file.').waitFor();
      await page.getByRole('button', { name: 'Check with the service' }).click();
      await credentials.getByText('Altered or damaged: do not rely on these credentials').waitFor();
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('has an address for each file, shows the file again after Back, and passes it to `Record a file`', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    const [one, two] = await Promise.all([makePhoto({ hue: 20 }), makePhoto({ hue: 90 })]);
    await drop(page, 'one.jpg', one);
    await page.waitForURL(/\/app\/check\?cid=baf/);
    await drop(page, 'two.jpg', two);
    await page.getByRole('region', { name: 'two.jpg' }).getByText('no exact copy of this file').waitFor();
    await page.getByRole('link', { name: 'Record this file' }).click();
    await page.getByText('two.jpg').first().waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('two.jpg');
    await page.goBack();
    await page.getByRole('region', { name: 'two.jpg' }).getByText('no exact copy of this file').waitFor();
    await page.goBack();
    await page.getByRole('region', { name: 'one.jpg' }).getByText('no exact copy of this file').waitFor();
    await page.reload();
    await page.getByText('This tab no longer has the file').waitFor();
    await page.getByText('Choose the file again to see its result.').waitFor();
    expect(await page.getByText('No AI recorded').count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('takes a file that is dropped anywhere or pasted', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page.getByRole('heading', { name: 'Check a file' }).waitFor();
    const give = (kind: 'drop' | 'paste', name: string) =>
      page.evaluate(
        ([kind, name]) => {
          const data = new DataTransfer();
          data.items.add(new File([name ?? ''], name ?? ''));
          const settings = { bubbles: true, cancelable: true };
          const event =
            kind === 'drop'
              ? new DragEvent('drop', { ...settings, dataTransfer: data })
              : new ClipboardEvent('paste', { ...settings, clipboardData: data });
          document.querySelector('footer')?.dispatchEvent(event);
          return event.defaultPrevented;
        },
        [kind, name],
      );
    expect(await give('drop', 'dropped.bin')).toBe(true);
    await page.getByRole('region', { name: 'dropped.bin' }).waitFor();
    expect(await give('paste', 'pasted.bin')).toBe(true);
    await page.getByRole('region', { name: 'pasted.bin' }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('compares two files', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await page
      .getByLabel('Drop a file')
      .setInputFiles([toFile('first.jpg', signed), toFile('second.jpg', altered)]);
    const comparison = page.getByRole('region', { name: 'Compare with a second file' });
    await comparison.getByText('The files are not identical.').waitFor();
    await comparison.getByText('Do not rely on this file').waitFor();
    const names = comparison.getByRole('heading', { level: 3 });
    expect(await names.allTextContents()).toEqual(['first.jpg', 'second.jpg']);
    const lefts = await names.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(lefts[0]).toBeLessThan(lefts[1] ?? 0);
    await page.getByRole('heading', { name: 'More about first.jpg' }).waitFor();
    await comparison.getByRole('button', { name: 'Go to “Ask the service”' }).click();
    expect(await page.evaluate(() => document.activeElement?.closest('[data-search]') !== null)).toBe(true);
    expect(await comparison.getByLabel('Drop the second file').count()).toBe(0);
    await comparison.getByLabel('Choose another second file').setInputFiles(toFile('copy.jpg', signed));
    await comparison.getByText('Both files are the same, byte for byte.').waitFor();
    expect(await comparison.getByRole('button', { name: /^Go to/ }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'check-compared');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('searches with each of two compared files', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    const { default: sharp } = await import('sharp');
    const toCopy = async (width: number) =>
      toFile(`copy-${width}.jpg`, await sharp(signed).resize({ width }).jpeg({ quality: 60 }).toBuffer());
    await page.getByLabel('Drop a file').setInputFiles([await toCopy(420), await toCopy(380)]);
    const [first, second] = [page.locator('.verdict').nth(0), page.locator('.verdict').nth(1)];
    const focused = (side: Locator) => side.locator('button:focus').textContent();
    const searchOf = (side: Locator) => side.getByRole('button', { name: 'Search for altered copies' });
    await searchOf(first).waitFor(); // can appear after that of the second file
    await page.getByRole('button', { name: 'Go to “Search for altered copies”' }).click();
    expect(await focused(first)).toBe('Search for altered copies');
    await searchOf(second).click();
    await second.getByText(/This file resembles “Harbour at dusk”/).waitFor();
    await searchOf(first).click();
    await first.getByText(/This file resembles “Harbour at dusk”/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('moves to the search for a file without a record, and says which file is the source', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    const unknown = toFile('unknown.jpg', await makePhoto({ hue: 310 }));
    const made = 'The records say that the second file was made from the first file.';
    await page.getByLabel('Drop a file').setInputFiles([toFile('first.jpg', signed), unknown]);
    await page.getByRole('button', { name: 'Go to “Search for altered copies”' }).click();
    await page.locator('.verdict').nth(1).locator('button:focus').waitFor();
    expect(await page.getByText(made).count()).toBe(0);
    await page.getByLabel('Choose another second file').setInputFiles(toFile('crop.jpg', derived));
    await page.getByText(made).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'check-compared-connected');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LOOKS)('has three sample files that work without a key: $name', async ({ name, ...look }) => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`, look);
    await page.getByText('Colophon shows who made a file').waitFor();
    await page.getByText('No trust list has this signer.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await keepPicture(page, `landing-${name}`);
    for (const [sample, verdict, level] of [
      [
        'Signed picture',
        /^Unchanged since it was signed, but it is not known who/,
        'Made without AI, as its Content Credentials state',
      ],
      ['AI image', /^Unchanged since it was signed, but it is not known who/, 'AI-generated'],
      ['Tampered copy', /^Do not rely on this file/, undefined],
    ] as const) {
      await page.getByRole('button', { name: sample }).click();
      const card = page.locator('.verdict').first();
      await card.getByText(verdict).waitFor();
      expect(await card.locator('.notice.good').count()).toBe(0);
      if (level === undefined) expect(await card.locator('.ai-label').count()).toBe(0);
      else await card.getByText(level, { exact: true }).waitFor();
      if (sample === 'AI image') await card.getByText('Its Content Credentials state this.').waitFor();
      if (sample === 'Signed picture')
        await page
          .locator('.result-parts')
          .getByText(level ?? '')
          .waitFor();
      await page.goBack();
      await page.getByRole('button', { name: sample }).waitFor();
    }
    expect(faults).toEqual([]);
    await page.context().close();
  });
});
