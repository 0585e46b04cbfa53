import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { jsonPost, type Service } from '../support/service.js';
import { cidOf } from './fill-store.js';

export const PROJECT = namedProjectId('one');
/** The performer of all large actions, and the entity of all large attributions. */
export const PERFORMER = 'studio:large';
export const SESSION = 'session of large actions';
/** All large actions use this content, and all claims and attributions name it. */
export const SHARED = cidOf('used by all large actions');
export const COUNTS = { actions: 40, entities: 150, attributions: 300, claims: 1_000, wide: 16 };

/** Texts of one letter compress to a hundredth of their size. */
const LARGEST_ACTION = 'a'.repeat(900_000);
const LARGEST_OBJECT = 'b'.repeat(64_000);

export const entityId = (place: number) => `studio:entity-${place}`;
export const actionIds: readonly string[] = Array.from({ length: COUNTS.actions }, () => randomUUID());

/** The records are as large as the API accepts them. */
export async function fillWithLarge({ send }: Service): Promise<void> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await send(path, jsonPost(body, headers));
    expect(answer.status, `${path}: ${await answer.clone().text()}`.slice(0, 400)).toBe(201);
  };
  const extensions = { 'ext:large@1.0.0': { text: LARGEST_OBJECT } };
  await post('/v1/entity', { id: PERFORMER, role: 'human', name: 'Large' });
  await post('/v1/action', { type: 'create', performedBy: PERFORMER, outputCids: [SHARED] });
  for (let place = 0; place < COUNTS.entities; place++) {
    const wallet = `0x${String(place).padStart(40, '0')}`;
    const entity = {
      id: entityId(place),
      role: 'human',
      name: 'Same',
      wallet,
      metadata: { text: LARGEST_OBJECT },
    };
    await post('/v1/entity', { ...entity, extensions }, { 'idempotency-key': `entity-${place}` });
  }
  for (const [place, id] of actionIds.entries()) await post('/v1/action', toLargeAction(id, place));
  await fillAround(post);
}

type Post = (path: string, body: object, headers?: Record<string, string>) => Promise<void>;

async function fillAround(post: Post): Promise<void> {
  const [actionId] = actionIds;
  const said = { provider: 'x', model: 'y', prompt: 'p', systemPrompt: 's' };
  const prompts = Array.from({ length: 99 }, (_, place) => [`ext:ai@2.0.${place}`, { ...said, tool: said }]);
  const extensions = { ...Object.fromEntries(prompts), 'ext:large@1.0.0': { text: 'b'.repeat(45_000) } };
  for (let place = 0; place < COUNTS.attributions; place++)
    await post('/v1/attribution', {
      entityId: PERFORMER,
      actionId,
      resourceCid: SHARED,
      role: `ext:r${place}`,
      extensions,
    });
  // Nearly the maximum number of inputs.
  const inputCids = Array.from({ length: 990 }, (_, place) => cidOf(`input ${place}`));
  for (let place = 0; place < COUNTS.wide; place++)
    await post('/v1/action', {
      type: 'transform',
      performedBy: PERFORMER,
      inputCids,
      outputCids: [cidOf(`wide ${place}`)],
    });
  const text = 'c'.repeat(2_000);
  const claim = { entityId: PERFORMER, evidenceType: 'legal-document', evidenceRef: text, note: text };
  for (let place = 0; place < COUNTS.claims; place++)
    await post(`/v1/resource/${SHARED}/ownership/claim`, claim);
  await post('/v1/publications', { cid: SHARED });
}

/** Every second action states a mark of its output. */
function toLargeAction(id: string, place: number): object {
  const stated =
    place % 2 === 0
      ? { 'ext:mark@1.0.0': { aiDisclosure: 'ai_generated', generator: { name: 'x' } } }
      : { 'ext:ai@1.0.0': { provider: 'x', model: 'y' } };
  return {
    ...{ id, type: 'create', performedBy: PERFORMER, sessionId: SESSION, inputCids: [SHARED] },
    outputCids: [cidOf(`large ${place}`)],
    extensions: { ...stated, 'ext:large@1.0.0': { text: LARGEST_ACTION } },
  };
}

/** Rows for which the API needs files, other services or many requests. $1: the project. */
export const OTHER_ROWS = [
  `insert into control.publication (project_id, id, cid, withhold, hidden_entities, pseudonym_key)
   select b.project_id, 'large ' || n, b.cid, b.withhold,
     (select jsonb_agg(rpad(part::text, 256, 'd')) from generate_series(1, 1000) part), b.pseudonym_key
   from control.publication b, generate_series(1, 40) n where b.project_id = $1`,
  // The extension has the size of one for a manifest with many assertions and ingredients.
  `update provenance.resource r set extensions = jsonb_build_object('ext:c2pa@1.0.0', jsonb_build_object(
     'manifestLabel', 'urn:' || r.cid, 'aiDisclosure', 'ai_generated', 'text', repeat('e', 60000)))
   where r.project_id = $1 and r.cid in (select o.cid from provenance.action_output o where o.project_id = $1)`,
  `insert into provenance.descriptor (project_id, method, cid, embedding, signs, evidence, write_number)
   select $1, method, 'cid ' || n, array_fill(0.015625::real, array[4096]), repeat('1', 4096)::bit varying,
     decode(repeat('00', bytes), 'hex'), n
   from generate_series(1, 600) n, (values ('given/large', 0), ('text-512/1', 1024)) m(method, bytes)`,
];
