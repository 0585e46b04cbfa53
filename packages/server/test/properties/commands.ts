import { createHash, randomUUID } from 'node:crypto';
import { createContentHasher } from '@colophon/model';
import fc from 'fast-check';
import { expect } from 'vitest';
import { jsonPost, toForm } from '../support/service.js';
import { openProject, type ProjectClient } from './project-client.js';
import {
  type AskedAction,
  type Expectation,
  emptyProject,
  expectAction,
  expectAttribution,
  expectEntity,
  expectErasure,
  expectFile,
  expectRenaming,
  historyOf,
  type ProjectModel,
} from './project-model.js';

/** The projects use the same ids and the same content. */
export type Models = readonly [ProjectModel, ProjectModel];
export type Clients = readonly [ProjectClient, ProjectClient];
type Step = fc.AsyncCommand<{ of: Models }, Clients>;

export const emptyModels = (): Models => [emptyProject(), emptyProject()];
export const openClients = async (service: Parameters<typeof openProject>[0]): Promise<Clients> => [
  await openProject(service),
  await openProject(service),
];

/** Few ids and contents exist, so that steps affect each other. */
const ENTITIES = ['ann', 'bo', 'cy'];
export const CONTENTS = ['one', 'two', 'three', 'four', 'five'].map((text) => ({ text, cid: cidOf(text) }));

const project = fc.nat({ max: 1 });
const entityId = fc.constantFrom(...ENTITIES);
const cid = fc.constantFrom(...CONTENTS.map((content) => content.cid));
const cids = fc.uniqueArray(cid, { maxLength: 2 });
const entityRole = fc.oneof({ weight: 4, arbitrary: fc.constant('human') }, fc.constant('ai'));
const name = fc.constantFrom('Ann', 'Bo');
const type = fc.constantFrom('create', 'create', 'reference', 'generate', 'transform');

const asked = fc.record({ performedBy: entityId, type, inputs: cids, outputs: cids });
const bodyOf = ({ performedBy, type, inputs, outputs }: AskedAction) => ({
  performedBy,
  type,
  inputCids: inputs,
  outputCids: outputs,
});

interface ModelledRequest {
  said: string;
  which: number;
  path: string;
  init: RequestInit;
  expect: (model: ProjectModel) => Expectation;
}

/** Applies the expected change to the model. */
function toStep({ said, which, path, init, expect: expectation }: ModelledRequest): Step {
  return {
    check: () => true,
    toString: () => `${which === 0 ? 'one' : 'other'}: ${said}`,
    async run({ of }, clients) {
      const model = of[which === 0 ? 0 : 1];
      const { status, apply } = expectation(model);
      const answer = await clients[which === 0 ? 0 : 1].call(path, init);
      expect(answer.status, JSON.stringify(answer.body)).toBe(status);
      apply(answer.body.actionId);
    },
  };
}

const createEntity = fc
  .record({ which: project, id: entityId, role: entityRole, name: fc.option(name, { nil: undefined }) })
  .map(({ which, id, ...given }) =>
    toStep({
      said: `entity ${id} ${JSON.stringify(given)}`,
      which,
      path: '/v1/entity',
      init: jsonPost({ id, ...given }),
      expect: (model) =>
        expectEntity(model, id, { role: given.role, ...(given.name && { name: given.name }) }),
    }),
  );

const rename = fc.record({ which: project, id: entityId, name }).map(({ which, id, name }) =>
  toStep({
    said: `rename ${id} ${name}`,
    which,
    path: `/v1/entity/${id}`,
    init: { ...jsonPost({ name }), method: 'PATCH' },
    expect: (model) => expectRenaming(model, id, name),
  }),
);

const erase = fc.record({ which: project, id: entityId }).map(({ which, id }) =>
  toStep({
    said: `erase ${id}`,
    which,
    path: `/v1/entity/${id}/personal-data`,
    init: { method: 'DELETE' },
    expect: (model) => expectErasure(model, id),
  }),
);

const act = fc.record({ which: project, action: asked }).map(({ which, action }) =>
  toStep({
    said: `action ${JSON.stringify(action)}`,
    which,
    path: '/v1/action',
    init: jsonPost(bodyOf(action)),
    expect: (model) => expectAction(model, action),
  }),
);

/** At most one of the repeated requests is recorded. */
const actTwice = fc.record({ which: project, action: asked }).map(
  ({ which, action }): Step => ({
    check: () => true,
    toString: () => `${which}: twice ${JSON.stringify(action)}`,
    async run({ of }, clients) {
      const model = of[which === 0 ? 0 : 1];
      const { status, apply } = expectAction(model, action);
      const headers = { 'idempotency-key': randomUUID() };
      const ask = () => clients[which === 0 ? 0 : 1].call('/v1/action', jsonPost(bodyOf(action), headers));
      const first = await ask();
      expect(first.status, JSON.stringify(first.body)).toBe(status);
      apply(first.body.actionId);
      const { requestId: _, ...again } = (await ask()).body.error ?? {};
      if (status !== 201) expect(again.code).toBe(first.body.error.code);
      else expect((await ask()).body).toEqual(first.body);
    },
  }),
);

const upload = fc
  .record({
    which: project,
    performedBy: entityId,
    role: entityRole,
    content: fc.constantFrom(...CONTENTS),
    inputs: cids,
  })
  .map(({ which, content, performedBy, role, inputs }) =>
    toStep({
      said: `file ${content.text} by ${performedBy} from ${JSON.stringify(inputs)}`,
      which,
      path: '/v1/activity',
      init: {
        method: 'POST',
        body: toForm(content.text, {
          entity: { id: performedBy, role },
          action: { type: 'create', inputCids: inputs },
        }),
      },
      expect: (model) => expectFile(model, { cid: content.cid, performedBy, role, type: 'create', inputs }),
    }),
  );

const attribute = fc
  .record({ which: project, entityId, cid, role: fc.constantFrom('creator', 'contributor') })
  .map(({ which, entityId, cid, role }) =>
    toStep({
      said: `${entityId} is ${role} of ${cid}`,
      which,
      path: '/v1/attribution',
      init: jsonPost({ entityId, resourceCid: cid, role }),
      expect: (model) => expectAttribution(model, entityId, cid, role),
    }),
  );

/** At most one upload is recorded. */
const race = fc.record({ which: project, performedBy: entityId, content: fc.constantFrom(...CONTENTS) }).map(
  ({ which, performedBy, content }): Step => ({
    check: () => true,
    toString: () => `${which}: three upload ${content.text} by ${performedBy}`,
    async run({ of }, clients) {
      const model = of[which === 0 ? 0 : 1];
      const json = { entity: { id: performedBy, role: 'human' }, action: { type: 'create' } };
      const facts = { cid: content.cid, performedBy, role: 'human', type: 'create', inputs: [] };
      const { status, apply } = expectFile(model, facts);
      const form = () => ({ method: 'POST', body: toForm(content.text, json) });
      const ask = () => clients[which === 0 ? 0 : 1].call('/v1/activity', form());
      const answers = await Promise.all([ask(), ask(), ask()]);
      const recorded = answers.filter((answer) => answer.status === 201);
      expect(recorded).toHaveLength(status === 201 ? 1 : 0);
      expect(answers.filter((answer) => answer.status === 409)).toHaveLength(status === 201 ? 2 : 3);
      apply(recorded[0]?.body.actionId);
    },
  }),
);

const readHistory = fc.record({ which: project, cid }).map(
  ({ which, cid }): Step => ({
    check: () => true,
    toString: () => `${which}: history of ${cid}`,
    async run({ of }, clients) {
      const model = of[which === 0 ? 0 : 1];
      const known = historyOf(model, cid);
      const { status, body } = await clients[which === 0 ? 0 : 1].call(`/v1/bundle/${cid}`);
      expect(status).toBe(known === undefined ? 404 : 200);
      if (known === undefined) return;
      expect(body.complete).toBe(true);
      expect(body.actions.map(({ id }: { id: string }) => id)).toEqual(known.map(({ id }) => id));
    },
  }),
);

/** A repeated kind is more frequent. */
export const steps = [
  createEntity,
  rename,
  act,
  act,
  actTwice,
  upload,
  attribute,
  race,
  readHistory,
  fc.oneof({ weight: 3, arbitrary: readHistory }, { weight: 1, arbitrary: erase }),
];

function cidOf(text: string): string {
  const hasher = createContentHasher({ createSha256: () => createHash('sha256') });
  hasher.update(Buffer.from(text));
  return hasher.finish().cid;
}
