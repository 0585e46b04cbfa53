import { createHash } from 'node:crypto';
import {
  type Bundle,
  findUnprovable,
  type PublishedHistory,
  parseTrustedLog,
  verifyBundle,
  WITHHOLDABLE,
} from '@colophon/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { ANY_ENGINE, jsonPost, OTHER_KEY, type Service, startService } from '../support/service.js';

const verify = createVerifySignature();

/** Each word occurs nowhere else. */
const WORDS = {
  names: 'Annabel Quillfeather',
  wallets: '0xA11ABE1000000000000000000000000000000001',
  metadata: 'annabel@quill.example',
  notes: 'painted for her mother',
  prompts: 'a heron at dawn',
  tools: 'marshpainter',
  details: 'kept in drawer nine',
};
const SESSION = 'the heron session';
const ENTITY = 'studio:quillfeather';
const PROMPT_TWO = 'be a marsh painter';
const UNKNOWN_ID = 'A'.repeat(24);

describe('publications', () => {
  let service: Service;
  let rich: { cid: string; actionId: string; text: string };
  /** All personal fields of this content have commitments. */
  let plain: { cid: string; actionId: string; entityId: string };

  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    rich = await recordRich();
    plain = await recordPlain();
  });
  afterAll(() => service.stop());

  const record = async (content: string, json: object) =>
    (await service.upload(content, json)).json() as Promise<Record<'cid' | 'actionId' | 'entityId', string>>;

  async function recordRich() {
    const entity = {
      ...{ id: ENTITY, role: 'human', name: WORDS.names, wallet: WORDS.wallets },
      metadata: { mail: WORDS.metadata },
      extensions: { 'ext:place@1.0.0': { drawer: WORDS.details } },
    };
    const source = await record('a sketch', { entity });
    const made = await record('a painting', {
      entity: { id: ENTITY, role: 'human' },
      action: {
        type: 'transform',
        inputCids: [source.cid],
        aiTool: { provider: 'Acme', model: WORDS.tools },
        extensions: {
          'ext:ai@1.0.0': {
            tool: { provider: 'Acme', model: WORDS.tools, prompt: WORDS.prompts, systemPrompt: PROMPT_TWO },
          },
          'ext:place@1.0.0': { drawer: WORDS.details, also: [WORDS.names, WORDS.notes] },
        },
      },
      sessionId: SESSION,
      attribution: { note: WORDS.notes, weight: 2, extensions: { 'ext:place@1.0.0': { on: WORDS.details } } },
    });
    const text = await (await service.send(`/v1/bundle/${made.cid}?proof=true`)).text();
    return { ...made, text };
  }

  async function recordPlain() {
    const source = await record('a plain sketch', { entity: { role: 'human', name: WORDS.names } });
    return record('a plain painting', {
      entity: { role: 'human', name: WORDS.names },
      action: {
        type: 'transform',
        inputCids: [source.cid],
        extensions: { 'ext:ai@1.0.0': { provider: 'Acme', model: 'brush', prompt: WORDS.prompts } },
      },
      attribution: { note: WORDS.notes },
    });
  }

  const publish = async (options: object) => {
    const answer = await service.send('/v1/publications', jsonPost(options));
    expect(answer.status).toBe(201);
    return answer.json() as Promise<{ id: string; path: string; withhold: string[] }>;
  };
  const read = (path: string, init: RequestInit = {}) =>
    fetch(`${service.base}/app/api/public/${path}`, init);
  const history = async (id: string) => (await read(id)).json() as Promise<PublishedHistory>;
  const everything = async (id: string) => {
    const answers = await Promise.all([id, `${id}/summary`, `${id}/proof`].map((path) => read(path)));
    return (await Promise.all(answers.map((answer) => answer.text()))).join('\n');
  };

  it('show the whole history if nothing is withheld', async () => {
    const { id } = await publish({ cid: rich.cid, withhold: [], title: 'The heron' });
    const text = await everything(id);
    for (const word of [...Object.values(WORDS), PROMPT_TWO, 'The heron']) expect(text).toContain(word);
    const shown = await history(id);
    expect(shown).toMatchObject({
      cid: rich.cid,
      title: 'The heron',
      hidden: 0,
      withheld: [],
      provable: true,
    });
    expect(shown.facts).toMatchObject({
      ai: 'assisted',
      makers: [{ role: 'human', name: WORDS.names }],
      steps: 2,
    });
    expect(shown.sha256).toBe(createHash('sha256').update('a painting').digest('hex'));
  });

  it.each(WITHHOLDABLE)('reveal nothing of the withheld %s, nor of the details', async (what) => {
    const { id, withhold } = await publish({ cid: rich.cid, withhold: [what] });
    expect(withhold).toEqual([...new Set([what, 'details'])]);
    const text = await everything(id);
    expect(text).not.toContain(WORDS[what]);
    expect(text).not.toContain(WORDS.details);
    if (what === 'prompts') expect(text).not.toContain(PROMPT_TWO);
    const others = WITHHOLDABLE.filter((one) => one !== what && one !== 'details');
    for (const other of others) expect(text, other).toContain(WORDS[other]);
  });

  it('count the reads of their history, without badges and failed reads', async () => {
    const { id } = await publish({ cid: plain.cid });
    const viewsOf = async () => {
      const { publications } = await (await service.send('/v1/publications?limit=1')).json();
      return publications.map((one: { id: string; views: number }) => [one.id, one.views]);
    };
    expect(await viewsOf()).toEqual([[id, 0]]);
    for (const path of [id, `${id}/summary`, id, `${id}/proof`, UNKNOWN_ID]) await read(path);
    expect(await viewsOf()).toEqual([[id, 2]]);
    await service.send(`/v1/publications/${id}`, { method: 'DELETE' });
    await read(id);
    expect(await viewsOf()).toEqual([[id, 2]]);
  });

  it('withhold everything except names and tools by default', async () => {
    const text = await everything((await publish({ cid: rich.cid })).id);
    const left = Object.values(WORDS).filter((word) => text.includes(word));
    expect(left).toEqual([WORDS.names, WORDS.tools]);
  });

  it('show hidden entities under a pseudonym that is stable in one publication and differs in another', async () => {
    const refs = [];
    for (const hiddenEntities of [[ENTITY], 'all']) {
      const { id } = await publish({ cid: rich.cid, withhold: [], hiddenEntities });
      const text = await everything(id);
      for (const word of [WORDS.names, WORDS.wallets, WORDS.metadata, WORDS.details, ENTITY]) {
        expect(text).not.toContain(word);
      }
      const [first, second] = [await history(id), await history(id)];
      expect(first.people).toEqual([
        { ref: expect.stringMatching(/^[0-9a-f]{16}$/), hidden: true, role: 'human' },
      ]);
      expect(first.steps.every(({ by }) => by === first.people[0]?.ref)).toBe(true);
      expect(first.contents.every(({ by }) => by === first.people[0]?.ref)).toBe(true);
      expect(second).toEqual(first);
      refs.push(first.people[0]?.ref);
    }
    expect(new Set(refs).size).toBe(2);
  });

  it('reveal no id, digest, salt or session of a record that could disclose withheld data', async () => {
    const bundle = JSON.parse(rich.text) as Bundle & {
      proof: { records: { salts: object; digest: string }[] };
    };
    const marks = [
      SESSION,
      ...[...bundle.actions, ...bundle.attributions].map(({ id }) => id),
      ...bundle.proof.records.flatMap(({ salts, digest }) => [...Object.values(salts), digest.slice(7)]),
    ];
    expect(marks.length).toBeGreaterThan(8);
    for (const options of [{}, { withhold: ['tools'] }, { withhold: [], hiddenEntities: 'all' }]) {
      const { id } = await publish({ cid: rich.cid, ...options });
      const text = await everything(id);
      for (const mark of marks) expect(text).not.toContain(mark);
      expect((await history(id)).provable).toBe(false);
      expect((await read(`${id}/proof`)).status).toBe(404);
    }
  });

  it('are proven by commitments for all withheld data, and contain neither the data nor its salts', async () => {
    const { id } = await publish({ cid: plain.cid, withhold: ['names', 'notes', 'prompts'] });
    const { log, provable } = await history(id);
    expect(provable).toBe(true);
    const proof = await (await read(`${id}/proof`)).json();
    const trusted = parseTrustedLog(log?.verifierKey ?? '');
    if (trusted === undefined) throw new Error('no key');
    expect(verifyBundle(proof, trusted, verify)).toMatchObject({
      verified: true,
      complete: true,
      cid: plain.cid,
    });
    const text = await everything(id);
    for (const word of [WORDS.names, WORDS.notes, WORDS.prompts]) expect(text).not.toContain(word);
    const whole = await (await service.send(`/v1/bundle/${plain.cid}?proof=true`)).json();
    const salts = whole.proof.records.flatMap((one: { salts: object }) => Object.values(one.salts));
    expect(salts.length).toBeGreaterThanOrEqual(3);
    for (const salt of salts) expect(text).not.toContain(salt);
    const forged = structuredClone(proof);
    forged.entities[0].name = 'Somebody Else';
    expect(verifyBundle(forged, trusted, verify).verified).toBe(false);
  });

  it('are proven with the data that stays visible', async () => {
    const { id } = await publish({ cid: plain.cid });
    const proof = await (await read(`${id}/proof`)).json();
    expect(proof.entities[0].name).toBe(WORDS.names);
    const trusted = parseTrustedLog((await history(id)).log?.verifierKey ?? '');
    expect(trusted && verifyBundle(proof, trusted, verify).verified).toBe(true);
  });

  it.each<[string, { entity: object; ai?: object; options: object; mark: string }]>([
    [
      'an id of the caller that ends like an id of the service',
      {
        entity: { id: 'studio:fernsby:0f9d2c4e-7a51-4b0e-9c1d-3e5a7b9c1d2f', role: 'human', name: 'Fernsby' },
        options: { withhold: ['names'] },
        mark: 'fernsby',
      },
    ],
    [
      'an id that contains the wallet',
      {
        entity: {
          id: 'eip155:1:0xC0FFEE254729296a45a3885639AC7E10F9d54979',
          role: 'human',
          wallet: '0xc0ffee254729296a45a3885639ac7e10f9d54979',
        },
        options: { withhold: ['wallets'] },
        mark: '0xc0ffee',
      },
    ],
    [
      'a prompt in a tool within a tool',
      {
        entity: { role: 'human', name: 'Bo' },
        ai: { tool: { provider: 'Acme', model: 'brush', tool: { prompt: 'the hidden loch' } } },
        options: { withhold: ['prompts'] },
        mark: 'the hidden loch',
      },
    ],
  ])('contain no proof if %s would be in it', async (title, { entity, ai, options, mark }) => {
    const source = await record(`source of ${title}`, { entity });
    const extensions = ai === undefined ? {} : { 'ext:ai@1.0.0': ai };
    const action = { type: 'transform', inputCids: [source.cid], extensions };
    const made = await record(`made of ${title}`, { entity, action });
    const { id } = await publish({ cid: made.cid, ...options });
    expect((await history(id)).provable).toBe(false);
    expect((await read(`${id}/proof`)).status).toBe(404);
    expect((await everything(id)).toLowerCase()).not.toContain(mark);
  });

  it('give the same 404 when absent, expired or revoked', async () => {
    const soon = new Date(Date.now() + 1_500).toISOString();
    const expiring = await publish({ cid: plain.cid, expiresAt: soon });
    const revoked = await publish({ cid: plain.cid });
    expect((await read(expiring.id)).status).toBe(200);
    expect((await read(revoked.id)).headers.get('cache-control')).toBe('public, max-age=30');
    const ended = await service.send(`/v1/publications/${revoked.id}`, { method: 'DELETE' });
    expect((await ended.json()).revokedAt).toEqual(expect.any(String));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const answers = [];
    for (const id of [UNKNOWN_ID, expiring.id, revoked.id]) {
      for (const path of [id, `${id}/summary`, `${id}/proof`]) {
        const answer = await read(path, { headers: { 'x-request-id': 'same' } });
        answers.push({ status: answer.status, text: (await answer.text()).replaceAll(id, '<id>') });
      }
    }
    expect(answers[0]?.status).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('are not cached beyond their end', async () => {
    const { id } = await publish({ cid: plain.cid, expiresAt: new Date(Date.now() + 8_000).toISOString() });
    const [, seconds = '99'] =
      /max-age=(\d+)/.exec((await read(id)).headers.get('cache-control') ?? '') ?? [];
    expect(Number(seconds)).toBeLessThan(8);
  });

  it('can be read from any page, without cookies, with 304 for an unchanged answer', async () => {
    const { id } = await publish({ cid: plain.cid });
    const answer = await read(`${id}/summary`, { headers: { origin: 'https://news.example' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('set-cookie')).toBeNull();
    const again = await read(`${id}/summary`, {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('are listed and ended only by their own project', async () => {
    const { id } = await publish({ cid: plain.cid });
    const asOther = { headers: { authorization: `Bearer ${OTHER_KEY}` } };
    expect(await (await service.send('/v1/publications', asOther)).json()).toMatchObject({
      publications: [],
    });
    expect((await service.send(`/v1/publications/${id}`, { ...asOther, method: 'DELETE' })).status).toBe(404);
    const listed = await (await service.send(`/v1/publications?cid=${plain.cid}&limit=1`)).json();
    expect(listed).toMatchObject({ publications: [{ id, revokedAt: null }], count: 1 });
    const next = await (await service.send(`/v1/publications?limit=1&cursor=${listed.nextCursor}`)).json();
    expect(next.publications[0].id).not.toBe(id);
    expect((await read(id)).status).toBe(200);
  });

  it('have lists: a page ends when the hidden entities of its publications have about 1 MiB', async () => {
    const entities = Array.from({ length: 1_000 }, (_, n) => ({
      id: `hidden:${String(n).padStart(200, '0')}`,
      role: 'human',
    }));
    expect((await service.send('/v1/batch', jsonPost({ entities }))).status).toBe(201);
    const hiddenEntities = entities.map(({ id }) => id);
    const ids: string[] = [];
    for (let n = 0; n < 7; n++) ids.unshift((await publish({ cid: plain.cid, hiddenEntities })).id);
    const first = await (await service.send(`/v1/publications?cid=${plain.cid}&limit=7`)).json();
    expect(first.count).toBe(5);
    const rest = `/v1/publications?cid=${plain.cid}&limit=2&cursor=${first.nextCursor}`;
    const { publications } = await (await service.send(rest)).json();
    expect([...first.publications, ...publications].map(({ id }: { id: string }) => id)).toEqual(ids);
  });

  it('reject unknown content, an unknown hidden entity, and an end in the past', async () => {
    const cases: [object, number][] = [
      [{ cid: `sha256:${'0'.repeat(64)}` }, 404],
      [{ cid: plain.cid, hiddenEntities: [ENTITY, 'studio:nobody'] }, 404],
      [{ cid: plain.cid, expiresAt: '2020-01-01T00:00:00Z' }, 422],
      [{ cid: plain.cid, withhold: ['everything'] }, 422],
    ];
    for (const [options, status] of cases)
      expect((await service.send('/v1/publications', jsonPost(options))).status).toBe(status);
  });

  it('have audit entries with the key that created or ended them, and exist once per Idempotency-Key', async () => {
    const ask = () =>
      service.send('/v1/publications', jsonPost({ cid: plain.cid }, { 'idempotency-key': 'once' }));
    const [one, two] = [await (await ask()).json(), await (await ask()).json()];
    expect(two).toEqual(one);
    await service.send(`/v1/publications/${one.id}`, { method: 'DELETE' });
    const audit = await (await service.manage('operator', '/orgs/local/audit?limit=5')).json();
    const own = audit.entries.filter(({ target }: { target: string }) => target === one.id);
    expect(own.map(({ action }: { action: string }) => action)).toEqual([
      'publication.revoke',
      'publication.create',
    ]);
    expect(own[0].userId).toMatch(/^key:/);
  });

  it('no longer show erased data', async () => {
    const made = await record('a farewell', {
      entity: { id: 'studio:gone', role: 'human', name: 'Gone Away' },
    });
    const { id } = await publish({ cid: made.cid });
    await service.send('/v1/entity/studio%3Agone/personal-data', { method: 'DELETE' });
    expect(await everything(id)).not.toContain('Gone Away');
  });
});

describe('an incomplete history without attributions', () => {
  it.each(['owner', 'createdBy'])('has no proof if its content names hidden entities as %s', (member) => {
    const resource = {
      cid: 'c',
      type: 'image',
      locations: [],
      state: null,
      createdAt: '2026-01-01T00:00:00Z',
    };
    const unprovable = (hiddenEntities: string[]) =>
      findUnprovable(
        {
          ...{ cid: 'c', entities: [], actions: [], attributions: [], complete: false },
          resources: [{ ...resource, [member]: ENTITY }],
        },
        { withhold: ['details'], hiddenEntities },
      );
    expect([unprovable([ENTITY]), unprovable(['studio:else'])]).toEqual([['hiddenEntities'], []]);
  });
});
