import {
  findUnproven,
  listLicenses,
  type ProvenBundle,
  type PublishedHistory,
  parseTrustedLog,
  verifyBundle,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';

const LICENSE = 'ext:license@1.0.0';
const TERMS = { type: 'CC-BY-4.0', attribution: 'required', termsUrl: 'https://terms.example/by' };
const NAME = 'Annabel Quillfeather';
/** Only `details` shows the data with these words. */
const SECRETS = ['kept in drawer nine', 'studio:grantor', 'Photo by Annabel', '0xfeed', 'a private remark'];
const [DRAWER = '', GRANTOR = '', CREDIT = '', PAYMENT = '', REMARK = ''] = SECRETS;
const MORE_TERMS = { grantedBy: GRANTOR, attributionText: CREDIT, transactionRef: PAYMENT, remark: REMARK };
const PLACE = { 'ext:place@1.0.0': { drawer: DRAWER } };

describe('the licence of a publication', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
  });
  afterAll(() => service.stop());

  const record = async (content: string, extensions: object, more: object = {}) => {
    const action = { type: 'create', extensions };
    const entity = { role: 'human', name: NAME };
    const answer = await service.upload(content, { entity, action, ...more });
    return (await answer.json()) as { cid: string; entityId: string };
  };
  const publish = async (options: object) => {
    const answer = await service.send('/v1/publications', jsonPost(options));
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: string; license: boolean };
  };
  const read = (path: string) => fetch(`${service.base}/app/api/public/${path}`);
  const history = async (id: string) => (await (await read(id)).json()) as PublishedHistory;
  const pageOf = async (id: string) => (await fetch(`${service.base}/app/p/${id}`)).text();
  const everything = async (id: string) => {
    const answers = await Promise.all([id, `${id}/summary`, `${id}/proof`].map(read));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    return [...texts, await pageOf(id)].join('\n');
  };
  const verify = (proof: ProvenBundle, shown: PublishedHistory) => {
    const trusted = parseTrustedLog(shown.log?.verifierKey ?? '');
    if (trusted === undefined) throw new Error('no key');
    return verifyBundle(proof, trusted, createVerifySignature());
  };

  it('is published only if the request states `license: true`; lists of publications show this choice', async () => {
    const { cid } = await record('listed', { [LICENSE]: TERMS });
    const [plain, chosen] = [await publish({ cid }), await publish({ cid, license: true })];
    expect([plain.license, chosen.license]).toEqual([false, true]);
    const { publications } = await (await service.send(`/v1/publications?cid=${cid}`)).json();
    expect(publications.map((one: { license: boolean }) => one.license)).toEqual([true, false]);
    const ended = await service.send(`/v1/publications/${chosen.id}`, { method: 'DELETE' });
    expect((await ended.json()).license).toBe(true);
    expect((await service.send('/v1/publications', jsonPost({ cid, license: 'yes' }))).status).toBe(422);
  });

  it('is shown on the page, in the data and in the Open Graph tags, and the proof confirms it', async () => {
    const { cid } = await record('proven', { [LICENSE]: TERMS });
    const { id } = await publish({ cid, license: true });
    const shown = await history(id);
    expect(shown).toMatchObject({ license: true, provable: true });
    expect(shown.withheld).toContain('details');
    expect(shown.steps[0]?.extensions).toEqual({ [LICENSE]: TERMS });
    expect(listLicenses(shown)).toEqual(['CC-BY-4.0']);
    const proof: ProvenBundle = await (await read(`${id}/proof`)).json();
    expect(verify(proof, shown)).toMatchObject({ verified: true, complete: true });
    expect(findUnproven(shown, proof)).toBeUndefined();
    const html = await pageOf(id);
    expect(html).toContain('<dt>Licence</dt><dd>CC-BY-4.0</dd>');
    expect(html).toMatch(/<meta property="og:description" content="[^"]*Licence: CC-BY-4\.0\.">/);
  });

  it('is refuted by the proof if the service shows another licence, or none', async () => {
    const { cid } = await record('forged', { [LICENSE]: TERMS });
    const { id } = await publish({ cid, license: true });
    const shown = await history(id);
    const proof: ProvenBundle = await (await read(`${id}/proof`)).json();
    const forged = structuredClone(shown);
    Object.assign(forged.steps[0] ?? {}, { extensions: { [LICENSE]: { ...TERMS, type: 'CC0-1.0' } } });
    expect(findUnproven(forged, proof)).toBe('steps');
    Object.assign(forged.steps[0] ?? {}, { extensions: undefined });
    expect(findUnproven(forged, proof)).toBe('steps');
  });

  it('is withheld without `license: true`, unless the publication withholds nothing', async () => {
    const { cid } = await record('withheld', { [LICENSE]: TERMS });
    for (const options of [{}, { license: false }]) {
      const { id } = await publish({ cid, ...options });
      const shown = await history(id);
      expect(shown).not.toHaveProperty('license');
      expect(shown.provable).toBe(false);
      expect(await everything(id)).not.toMatch(/CC-BY-4\.0|terms\.example/);
    }
    const { id } = await publish({ cid, withhold: [] });
    const shown = await history(id);
    expect(shown).not.toHaveProperty('license');
    expect([shown.provable, listLicenses(shown)]).toEqual([true, ['CC-BY-4.0']]);
  });

  it('is shown with public members only, without other extensions, sessions, notes and withheld names', async () => {
    const extensions = { [LICENSE]: { ...TERMS, ...MORE_TERMS }, ...PLACE };
    const { cid } = await record('with secrets', extensions, {
      sessionId: 'the secret session',
      attribution: {
        note: 'a secret note',
        extensions: { [LICENSE]: { ...TERMS, ...MORE_TERMS }, ...PLACE },
      },
    });
    const withhold = ['names', 'wallets', 'metadata', 'notes', 'prompts', 'tools'];
    for (const options of [{}, { withhold }, { hiddenEntities: 'all' }]) {
      const { id } = await publish({ cid, license: true, ...options });
      const text = await everything(id);
      expect(text).toContain(TERMS.termsUrl);
      for (const word of [...SECRETS, 'secret session', 'secret note'])
        expect(text, word).not.toContain(word);
      if (Object.keys(options).length > 0) expect(text).not.toContain(NAME);
      expect((await history(id)).credits[0]?.extensions).toEqual({ [LICENSE]: TERMS });
      expect([(await history(id)).provable, (await read(`${id}/proof`)).status]).toEqual([false, 404]);
    }
  });

  it('is proven with withheld names and notes, whose commitments the proof has', async () => {
    const { cid } = await record(
      'with commitments',
      {},
      {
        attribution: { note: 'a secret note', extensions: { [LICENSE]: TERMS } },
      },
    );
    const { id } = await publish({ cid, license: true, withhold: ['names', 'notes'] });
    const [shown, text] = [await history(id), await everything(id)];
    const proof: ProvenBundle = await (await read(`${id}/proof`)).json();
    expect([verify(proof, shown).verified, findUnproven(shown, proof)]).toEqual([true, undefined]);
    expect(listLicenses(shown)).toEqual(['CC-BY-4.0']);
    for (const word of [NAME, 'secret note']) expect(text).not.toContain(word);
  });

  it('is the licence of the maker, and not that of another person who refers to the content later', async () => {
    const { cid } = await record('referred to', { [LICENSE]: TERMS });
    const other = await record('other', {}, { entity: { id: 'studio:other', role: 'human' } });
    const referred = await service.send(
      '/v1/action',
      jsonPost({
        ...{ type: 'reference', performedBy: other.entityId, inputCids: [], outputCids: [cid] },
        extensions: { [LICENSE]: { type: 'MIT' } },
      }),
    );
    expect(referred.status).toBe(201);
    for (const options of [{ withhold: [] }, { license: true }]) {
      const { id } = await publish({ cid, ...options });
      expect((await history(id)).steps).toHaveLength(2);
      expect(listLicenses(await history(id))).toEqual(['CC-BY-4.0']);
      expect(await pageOf(id)).toContain('<dt>Licence</dt><dd>CC-BY-4.0</dd>');
    }
  });
});
