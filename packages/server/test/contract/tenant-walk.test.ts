import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonPost, KEY, OTHER_KEY, type Service, startService } from '../support/service.js';
import { readOperations } from './operations.js';
import { sendCall } from './send-call.js';
import { NAMES_NOTHING, neverLike, normalise, type Own, type Step, walkOf } from './walk.js';
import { recordWorld, type World } from './world.js';

/** Headers that differ between requests, or depend on the body. */
const VOLATILE = ['date', 'etag', 'x-request-id', 'ratelimit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** No step depends on both the engine and the policy. */
const SETTINGS = [
  { engine: 'PGlite in memory', policy: 'off' },
  { engine: 'PostgreSQL', policy: 'enforce' },
] as const;
const STEPS = walkOf({ actionId: 'a', cursors: {} } as World, {} as Own);

describe.each(SETTINGS)('another project, on $engine with PROOF_POLICY=$policy', ({ engine, policy }) => {
  let service: Service;
  let world: World;
  let steps: Step[];
  let before: string[];

  beforeAll(async () => {
    service = await startService(engine, { environment: { PROOF_POLICY: policy, MATCH_WAIT_MS: '10000' } });
    world = await recordWorld(service, KEY);
    before = await readWorld();
  });
  afterAll(() => service.stop());

  const asTwo = (path: string, init: RequestInit = {}) =>
    service.send(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${OTHER_KEY}` } });

  async function readWorld(): Promise<string[]> {
    const paths = [
      ...['entities', 'actions', 'attributions', 'resources'].map((list) => `/v1/${list}`),
      ...[world.fileCid, world.outputCid, world.largeSha256].map((cid) => `/v1/bundle/${cid}?direction=both`),
      `/v1/session/${encodeURIComponent(world.sessionId)}/provenance`,
    ];
    return Promise.all(paths.map(async (path) => (await service.send(path)).text()));
  }

  it('sees empty lists and an empty session', async () => {
    for (const list of ['entities', 'actions', 'attributions', 'resources']) {
      expect(await (await asTwo(`/v1/${list}`)).json()).toEqual({ [list]: [], count: 0, nextCursor: null });
    }
    const session = await asTwo(`/v1/session/${encodeURIComponent(world.sessionId)}/provenance`);
    expect(await session.json()).toMatchObject({
      actions: [],
      resources: [],
      entities: [],
      attributions: [],
    });
  });

  it('is tested with each input that can name a record', async () => {
    const operations = readOperations(await (await fetch(`${service.base}/openapi.json`)).json());
    const places = operations
      .filter(({ path, secured }) => secured && !/^\/(?:management|app)\//.test(path))
      .flatMap(({ name, inputs }) =>
        inputs
          .filter((input) => !(name === 'POST /media/import' && input === 'body.sessionId'))
          // These files can name records only in their C2PA statements.
          .filter((input) => !(input === 'body.file' && /\/media\/|\/mark$/.test(name)))
          // In a batch, members with these names are lists of records.
          .filter((input) => name === 'POST /v1/batch' || !NAMES_NOTHING.has(input.split('.').at(-1) ?? ''))
          .map((input) => `${name} ${input}`),
      );
    // GET describes HEAD.
    const walked = STEPS.filter(({ operation }) => !operation.startsWith('HEAD '));
    const names = walked.map(({ operation, input }) => `${operation} ${input}`);
    expect([...new Set(names)].toSorted()).toEqual(places.toSorted());
  });

  it.each(STEPS.map(({ operation, input }, index) => ({ operation, input, index })))(
    '$operation: gets the same answer for records of others as for records that never existed ($input)',
    async ({ index }) => {
      steps ??= walkOf(world, await recordOwn());
      const step = steps[index] as Step;
      for (const id of step.theirs) {
        const never = (step.never ?? neverLike)(id);
        expect(never).not.toBe(id);
        const [theirs, unknown] = [await observe(step, id), await observe(step, never)];
        expect(theirs, id).toEqual(unknown);
        for (const secret of secrets(id)) expect(theirs.text).not.toContain(secret);
      }
    },
  );

  it('changes nothing that the first project sees', async () => {
    expect(await readWorld()).toEqual(before);
  });

  async function recordOwn(): Promise<Own> {
    await asTwo('/v1/entity', jsonPost({ id: 'own', role: 'ai' }));
    const outputCids = [`sha256:${'77'.repeat(32)}`];
    const made = await (await asTwo('/v1/action', jsonPost({ performedBy: 'own', outputCids }))).json();
    return { entityId: 'own', actionId: made.actionId, cid: made.action.outputCids[0] };
  }

  /** Omits the parts that differ between requests. */
  async function observe(step: Step, id: string) {
    const call = step.ask(id);
    const method = step.operation.split(' ')[0] ?? '';
    const answer = await sendCall(service.base, { ...call, method, key: OTHER_KEY });
    const headers = [...answer.headers]
      .filter(([name]) => !VOLATILE.includes(name))
      .map(([name, value]) => [name, name === 'link' ? normalise(value, id, call) : value]);
    return { status: answer.status, headers, text: normalise(await answer.text(), id, call) };
  }

  function secrets(asked: string): string[] {
    const { large: _, signed: __, cursors: ___, ...names } = world;
    return Object.values(names).filter((name) => name !== asked && name.length > 12);
  }
});
