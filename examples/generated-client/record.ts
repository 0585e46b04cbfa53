// Uses a typed client: openapi-typescript generates the types of all requests and responses from docs/api/openapi.json.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';

type Problem = components['schemas']['Error'];

const { COLOPHON_URL = 'http://localhost:3001', COLOPHON_API_KEY } = process.env;
if (COLOPHON_API_KEY === undefined) throw new Error('Set COLOPHON_API_KEY to a key that may write.');
const client = createClient<paths>({
  baseUrl: COLOPHON_URL,
  headers: { authorization: `Bearer ${COLOPHON_API_KEY}` },
});

function expectData<T>({ data, error }: { data?: T; error?: Problem }): T {
  if (data === undefined)
    throw new Error(`${error?.error.code}: ${error?.error.message} ${error?.error.recovery}`);
  return data;
}

const contents = new TextEncoder().encode('A text by Ann.');
const digest = Buffer.from(await crypto.subtle.digest('SHA-256', contents)).toString('hex');

const maker = expectData(
  await client.POST('/v1/entity', { body: { id: 'generated:ann', role: 'human', name: 'Ann' } }),
);
const { actionId } = expectData(
  await client.POST('/v1/action', {
    body: { type: 'create', performedBy: maker.id, outputCids: [`sha256:${digest}`] },
  }),
);
const { actions } = expectData(
  await client.GET('/v1/actions', { params: { query: { performedBy: maker.id, limit: 10 } } }),
);
for (const { type, performedBy, outputCids } of actions)
  console.log(`${type} by ${performedBy}: ${outputCids.join(', ')}`);
console.log(`recorded action ${actionId}`);
