import { readFile } from 'node:fs/promises';
import { MARK_EXTENSION, verifyDetection, verifyEd25519 } from '@colophon/model';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowDetection, detectAt } from '../../../server/test/support/media-form.js';
import {
  ANY_ENGINE,
  jsonPost,
  KEY,
  type Service,
  startService,
} from '../../../server/test/support/service.js';
import { aiLevels } from '../../src/strings/ai-levels.js';
import { check } from '../../src/strings/check.js';
import { detector } from '../../src/strings/detector.js';
import { factTexts } from '../../src/strings/facts.js';
import type { AllTexts } from '../../src/translations/all-texts.js';
import { texts as german } from '../../src/translations/de/texts.js';
import { texts as spanish } from '../../src/translations/es/texts.js';
import { texts as french } from '../../src/translations/fr/texts.js';
import { texts as italian } from '../../src/translations/it/texts.js';
import { texts as polish } from '../../src/translations/pl/texts.js';
import { findBarriers, keepPicture, LOOKS, openBrowser, openPage } from '../support/browser.js';

const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
const POEM = 'A heron stands in the cold water and waits.';
type Texts = Pick<AllTexts, 'aiLevels' | 'check' | 'detector' | 'factTexts'>;
const LANGUAGES: [string, Texts][] = [
  ['en-GB', { aiLevels, check, detector, factTexts }],
  ['de-DE', german],
  ['es-ES', spanish],
  ['fr-FR', french],
  ['it-IT', italian],
  ['pl-PL', polish],
];
const ASK = { name: 'Check with the detector' };
const SEARCH = { name: 'Search for altered copies' };

describe('the public detector on the page `Check a file`', () => {
  let service: Service;
  let browser: Browser;
  let publicationPath: string;

  beforeAll(async () => {
    const environment = {
      ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '1000', PUBLIC_DETECTOR_BYTES: '4096' },
      SERVER_SIGNING_KEY: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    };
    [service, browser] = await Promise.all([startService(ANY_ENGINE, { environment }), openBrowser()]);
    await allowDetection(service);
    publicationPath = await publish(POEM, 'The heron');
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Returns the path of the public page. */
  const publish = async (content: string, title: string): Promise<string> => {
    const said = { entity: { role: 'human', name: 'Ann of the studio' }, action: { type: 'generate' } };
    const { cid } = await (await service.upload(content, said)).json();
    return (await (await service.send('/v1/publications', jsonPost({ cid, title }))).json()).path;
  };
  const drop = (page: Page, content: string) =>
    page
      .getByLabel('Drop a file')
      .setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });

  const choose = (page: Page, content: string) =>
    page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });

  let hand: Promise<{ byHand: string; copy: string }> | undefined;
  /** Returns the text and a changed copy of it. */
  const makeByHand = () => {
    hand ??= (async () => {
      const words = 'meadow clover thistle barley orchard ladder basket apple autumn cellar barrel cider';
      const byHand = `${words} lantern frost chimney ${words.split(' ').toReversed().join(' ')} winter quilt candle`;
      const statement = { aiDisclosure: null, generator: { name: 'unknown' } };
      const action = { type: 'create', extensions: { [MARK_EXTENSION]: statement } };
      await service.upload(byHand, { entity: { role: 'human', name: 'Ann of the studio' }, action });
      const copy = byHand.replace('frost', 'snow');
      const body = jsonPost({ text: copy });
      const verdictOf = async () => (await (await service.send('/v1/search/text', body)).json()).verdict;
      await expect.poll(verdictOf, { timeout: 30_000 }).toBe('auto');
      return { byHand, copy };
    })();
    return hand;
  };

  let edit: Promise<{ original: string; copy: string }> | undefined;
  /** Returns the text, which is not published, and a changed copy of it. */
  const makeEdit = () => {
    edit ??= (async () => {
      const words = 'heron river reeds silver patient water shallow feather stone current minnow shadow';
      const original = `${words} willow bank mist ${words.split(' ').toReversed().join(' ')} quiet hunter grey`;
      const entity = { role: 'human', name: 'Ann of the studio' };
      const source = await (await service.upload(original, { entity, action: { type: 'create' } })).json();
      const tool = { provider: 'Acme', model: 'fill' };
      const action = { type: 'transform', inputCids: [source.cid], aiTool: tool };
      const { cid } = await (
        await service.upload(original.replace('willow', 'alder'), { entity, action })
      ).json();
      await service.send('/v1/publications', jsonPost({ cid, title: 'The edit' }));
      const copy = original.replace('mist', 'haze');
      await expect
        .poll(async () => (await detectAt(service.base, copy)).body.layers[0]?.code, { timeout: 30_000 })
        .toBe('similar-assisted');
      return { original, copy };
    })();
    return edit;
  };

  it.each(LOOKS)(
    'sends the file only on request, and shows the layers, the maker and the meaning: $name',
    async ({ name, ...look }) => {
      const { page, faults } = await openPage(browser, `${service.base}/app/`, look);
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
      });
      await drop(page, POEM);
      await page.getByRole('button', ASK).waitFor();
      expect(sent).toEqual([]);
      await page.getByRole('button', ASK).click();
      await page.getByRole('heading', { name: /^Published records \(high/ }).waitFor();
      await page.getByText('The file has exactly the published bytes.').waitFor();
      await page.getByText('Ann of the studio').waitFor();
      await page.getByText('Fingerprint not checked.').waitFor();
      for (const part of ['.verdict', '.result-parts']) {
        const link = page.locator(part).getByRole('link', { name: 'The heron' });
        expect(await link.getAttribute('href')).toBe(publicationPath);
      }
      expect(sent).toEqual(['/public/detect']);
      expect(await findBarriers(page)).toEqual([]);
      await keepPicture(page, `check-detector-${name}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('starts with the search button of the verdict, which then disappears', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await drop(page, POEM);
    await page.getByRole('button', ASK).waitFor();
    const search = page.locator('.verdict').getByRole('button', SEARCH);
    const sends = page.locator('.verdict').getByText(/^For this search, your browser sends the whole file/);
    await sends.waitFor();
    const unrecorded = page.getByText(
      'No project that lets everybody check files has a record of this file.',
    );
    await unrecorded.waitFor();
    await search.click();
    await page.getByRole('heading', { name: /^Published records \(high/ }).waitFor();
    expect(await search.count()).toBe(0);
    expect(await sends.count()).toBe(0);
    expect(await unrecorded.count()).toBe(0);
    await page.getByText('To search the records of your project:').waitFor();
    const verdict = page.locator('.verdict');
    const result = 'Exactly this file is published. The published file is AI-generated.';
    await verdict.getByText(result, { exact: true }).waitFor();
    expect(await page.getByText(result).count()).toBe(1);
    await verdict.getByText('AI-generated', { exact: true }).waitFor();
    expect(await page.getByText('Nothing is known about this file here').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('shows the findings in the language of the page', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`, { locale: 'fr-FR' });
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from(POEM) });
    await page.getByRole('button', { name: 'Vérifier avec le détecteur' }).click();
    const found = page.getByRole('list', { name: 'Couches trouvées par le détecteur' });
    await found.getByText(/^Ce fichier exact est publié\. L’historique publié indique : /).waitFor();
    await found.getByText('Le fichier a exactement les octets publiés.').waitFor();
    await page
      .getByText('Empreinte : non vérifié. Le fichier a trop peu de contenu pour une comparaison.')
      .waitFor();
    await keepPicture(page, 'check-detector-french');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LANGUAGES)(
    'never labels the unpublished original of a picture that somebody edited with AI: %s',
    async (locale, { detector: text, aiLevels: levels }) => {
      const { matches, headline, publishedFile, notOfYours, meanings, meansSource, ask, kinds, confidence } =
        text;
      const { original, copy } = await makeEdit();
      const { page, faults } = await openPage(browser, `${service.base}/app/`, { locale });
      const examine = async (content: string, relation: string, words: string[]) => {
        await choose(page, content);
        await page.getByRole('button', { name: ask }).click();
        const verdict = page.locator('.verdict');
        for (const one of words) await page.locator('.result-parts').getByText(one).first().waitFor();
        const result = `${relation} ${publishedFile.assisted} ${notOfYours}`;
        await verdict.getByText(result, { exact: true }).waitFor();
        await page.locator('.result-parts').getByText(text.historyStatesOfOther(levels.assisted)).waitFor();
        expect(await page.getByText(result).count()).toBe(1);
        expect(await verdict.locator('.ai-icon, .ai-label').count()).toBe(0);
        const heading = `${kinds.fingerprint} (${confidence.medium})`;
        await page.getByRole('heading', { name: heading, exact: true }).waitFor();
        expect(await findBarriers(page)).toEqual([]);
      };
      await examine(copy, headline.similar, [matches.similar, meanings['fingerprint medium']]);
      await examine(original, headline.source, [matches.source, meansSource]);
      await keepPicture(page, `check-detector-source-${locale}`);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it('saves the signed report, which verifies', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await drop(page, POEM);
    await page.getByRole('button', ASK).click();
    const link = page.getByRole('link', { name: 'Save the signed report' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('detection-report.json');
    const report = JSON.parse(await readFile(await download.path(), 'utf8'));
    const trusted = { publicKey: Buffer.from(PUBLIC_KEY, 'hex'), verify: verifyEd25519 };
    expect(verifyDetection(report, trusted).verified).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('states that nothing was found, and for a file that is too large, states the limit', async () => {
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await drop(page, 'Nobody published this.');
    await page.getByRole('button', ASK).click();
    await page.getByText('No mark of a project that takes part in this detector was found.').waitFor();
    await drop(page, 'x'.repeat(5_000));
    await page.getByText('is larger than the limit of the public detector (4').waitFor();
    expect(await page.getByRole('button', ASK).count()).toBe(0);
    const offer = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Ask the service' }) })
      .last();
    await offer.getByText('and you need a project').waitFor();
    expect(await offer.getByText('public detector').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('is offered to a member beside the search, unless the service has no detector', async () => {
    const other = await startService(ANY_ENGINE);
    const { page } = await openPage(browser, `${other.base}/app/`);
    const state = page.waitForResponse((answer) => answer.url().endsWith('/app/api/public/detector'));
    await drop(page, 'A text of its own.');
    expect(await (await state).json()).toMatchObject({ isAvailable: false });
    await page.getByText('No project that lets everybody check files has a record of this file.').waitFor();
    expect(await page.getByText('Check with the public detector').count()).toBe(0);
    await page.context().close();
    const { page: without } = await openPage(browser, `${other.base}/app/check#key=${KEY}`);
    await drop(without, 'A text of its own.');
    await without.getByRole('button', SEARCH).click();
    await without.getByText('It did not look for watermarks.').waitFor();
    expect(await without.getByText('public detector').count()).toBe(0);
    await without.context().close();
    await other.stop();
    const { page: withKey, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`);
    const keys: (string | undefined)[] = [];
    withKey.on('request', (request) => {
      if (request.url().endsWith('/public/detect')) keys.push(request.headers().authorization);
    });
    await drop(withKey, 'A text of its own.');
    await withKey
      .getByText(/^This check does not look for watermarks\..*with the public detector” below\.$/)
      .waitFor();
    await withKey.getByRole('button', { name: 'Check with the service' }).waitFor({ state: 'hidden' });
    await withKey.getByRole('button', SEARCH).click();
    await withKey.getByText('The public detector below looks for them.').waitFor();
    expect(keys).toEqual([]);
    await withKey.getByRole('button', { name: 'Look for watermarks with the public detector' }).click();
    await withKey.getByText('No mark of a project that takes part in this detector was found.').waitFor();
    // The page sends the detector no key, so the limits of visitors apply to a member too.
    expect(keys).toEqual([undefined]);
    await withKey.getByText('Watermark not checked.').waitFor();
    expect(await findBarriers(withKey)).toEqual([]);
    await drop(withKey, 'x'.repeat(5_000));
    await withKey.getByText('is larger than the limit of the public detector (4').waitFor();
    await withKey.getByRole('button', SEARCH).click();
    await withKey.getByText('It did not look for watermarks.').waitFor();
    expect(await withKey.getByText('The public detector below').count()).toBe(0);
    expect(faults).toEqual([]);
    await withKey.context().close();
  });

  it('is not needed for the link from exactly this file to its publication, with public checks', async () => {
    await service.context.databases.control.query('update control.project set public_checks = true');
    // The service caches the check of the other text.
    const text = `${POEM} Then it flies.`;
    const path = await publish(text, 'The flight');
    const { page, faults } = await openPage(browser, `${service.base}/app/`);
    await drop(page, text);
    const verdict = page.locator('.verdict');
    await verdict.getByText('This exact file is recorded here.').waitFor();
    const link = verdict.getByRole('link', { name: 'See the published history: The flight' });
    expect(await link.getAttribute('href')).toBe(path);
    await page.getByRole('button', ASK).click();
    await page.getByRole('heading', { name: /^Published records \(high/ }).waitFor();
    expect(await link.count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await keepPicture(page, 'check-public-link');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it.each(LANGUAGES)(
    'is named in the text about the service; verdict and records both state that a file was made without AI: %s',
    async (locale, { check, aiLevels: levels, factTexts }) => {
      await service.context.databases.control.query('update control.project set public_checks = true');
      const { byHand } = await makeByHand();
      const { page, faults } = await openPage(browser, `${service.base}/app/`, { locale });
      await choose(page, byHand);
      const verdict = page.locator('.verdict');
      await verdict.getByText(check.headline.knownPublicly, { exact: true }).waitFor();
      const stated = levels.statedBy(factTexts.roles.human);
      await verdict.locator('.ai-label').getByText(stated).waitFor();
      await page.locator('.result-parts').getByText(`${stated}.`, { exact: true }).waitFor();
      expect(await page.getByText(stated).count()).toBe(2);
      await page.getByText(check.recorded.noKeyMore).waitFor();
      await page.getByText(check.service.besideDetector).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  it.each(LANGUAGES)(
    'is offered to a member for watermarks, and the verdict states the AI level of a similar recorded file: %s',
    async (locale, { check, detector: text, aiLevels: levels }) => {
      const { byHand, copy } = await makeByHand();
      const { page, faults } = await openPage(browser, `${service.base}/app/check#key=${KEY}`, { locale });
      const ask = async (content: string, name: string) => {
        await choose(page, content);
        await page.getByRole('button', { name }).click();
        await page.getByText(`${check.service.answered} ${check.service.detectorBelow}`).waitFor();
        await page.getByRole('button', { name: text.askMember }).waitFor();
      };
      await ask(byHand, check.service.ask);
      await page.getByText(check.matches.exact).waitFor();
      await ask(copy, check.service.search);
      const verdict = page.locator('.verdict');
      const level = check.verdict.ofRecorded(levels.statedBy('Ann of the studio'));
      await verdict.getByText(level).waitFor();
      await verdict.getByText(check.verdict.ofOwn).waitFor();
      expect(await verdict.getByText(levels.unstatedMeans).count()).toBe(0);
      expect(await verdict.locator('.ai-icon').count()).toBe(0);
      expect(await findBarriers(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );
});
