import { type Action, type Entity, parseTrustedLog, verifyReceipt } from '@colophon/model';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createVerifySignature } from '../../src/access/ed25519.js';
import { ENGINES, type Service, startService } from '../support/service.js';
import { type Clients, CONTENTS, emptyModels, type Models, openClients, steps } from './commands.js';
import { openOrganisation, type ProjectClient } from './project-client.js';
import { keyOf, type ProjectModel } from './project-model.js';

/** PROPERTY_RUNS sets the number of runs, and PROPERTY_SEED sets another seed. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? (process.env.LONG_TESTS ? 300 : 12));
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_121);

describe.each(ENGINES)('random calls, on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { environment: { SERVER_SIGNING_KEY: '7a'.repeat(32) } });
    await openOrganisation(service);
  });
  afterAll(() => service.stop());

  it('leave in each project exactly the records of its callers, and each action has a receipt', async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands([...steps], { maxCommands: 40, size: '+1' }), async (commands) => {
        const of = emptyModels();
        const clients = await openClients(service);
        await fc.asyncModelRun(() => ({ model: { of }, real: clients }), commands);
        await expectSame(of, clients);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  }, 3_600_000);
});

async function expectSame(models: Models, clients: Clients): Promise<void> {
  await expectProject(models[0], clients[0]);
  await expectProject(models[1], clients[1]);
}

async function expectProject(model: ProjectModel, client: ProjectClient): Promise<void> {
  const entities = await client.list<Entity>('/v1/entities', 'entities');
  const shown = entities.map(({ id, role, name }) => ({ id, role, name }));
  const expected = [...model.entities].map(([id, { role, name }]) => ({ id, role, name }));
  expect(new Map(shown.map((entity) => [entity.id, entity]))).toEqual(
    new Map(expected.map((entity) => [entity.id, entity])),
  );
  expect(shown).toHaveLength(expected.length);

  const actions = await client.list<Action>('/v1/actions', 'actions');
  expect(actions.map(({ id }) => id)).toEqual(model.actions.map(({ id }) => id).reverse());

  const attributions = await client.list<Parameters<typeof keyOf>[0]>('/v1/attributions', 'attributions');
  expect(attributions.map(keyOf).sort()).toEqual([...model.attributions].sort());

  for (const { cid } of CONTENTS) await expectResource(model, client, cid);
  await expectLog(model, client, actions);
}

async function expectResource(
  { resources }: ProjectModel,
  client: ProjectClient,
  cid: string,
): Promise<void> {
  const { status, body } = await client.call(`/v1/resource/${cid}`);
  const known = resources.get(cid);
  if (known === undefined) return expect(status).toBe(404);
  const { state, createdBy = null, rootAction, size } = body;
  expect({ state, createdBy, rootAction, isStored: size !== undefined }).toEqual(known);
}

/** Verifies the receipt of each action. */
async function expectLog({ leaves }: ProjectModel, client: ProjectClient, actions: readonly Action[]) {
  const { size, verifierKey } = (await client.call('/v1/log')).body;
  expect(size).toBe(leaves);
  const trusted = parseTrustedLog(verifierKey);
  if (trusted === undefined) throw new Error('The log has no key');
  for (const { id } of actions) {
    const receipt = (await client.call(`/v1/action/${id}/receipt`)).body;
    expect(verifyReceipt(receipt, trusted, createVerifySignature())).toMatchObject({ verified: true });
  }
}
