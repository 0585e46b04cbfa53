// Records a first file with only the management secret: creates an organisation, a project, a key and a record.
//
//   MANAGEMENT_API_KEY=mk_live_change-me-please npm start
//   MANAGEMENT_API_KEY=mk_live_change-me-please node examples/team.mjs photo.jpg
//
// COLOPHON_URL is the address of the service (default http://localhost:3001). Needs only Node 20.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

const { COLOPHON_URL: base = 'http://localhost:3001', MANAGEMENT_API_KEY: secret } = process.env;
const [file] = process.argv.slice(2);
if (secret === undefined || file === undefined) {
  console.error('Usage: MANAGEMENT_API_KEY=<secret> node examples/team.mjs <file>');
  process.exit(2);
}

// Slugs are unique. With the time in the slug, this script can run again.
const slug = `daily-planet-${Date.now().toString(36)}`;
await manage('/management/orgs', { name: 'Daily Planet', slug });
const project = await manage('/management/projects', {
  orgSlug: slug,
  name: 'Front page',
  aiTrainingOptOut: true,
});
const { key } = await manage('/management/api-keys', {
  projectId: project.id,
  name: 'press room',
  permissions: 'write',
});

const form = new FormData();
form.set(
  'json',
  JSON.stringify({ entity: { id: 'planet:lois', role: 'human', name: 'Lois' }, action: { type: 'create' } }),
);
form.set('file', await openAsBlob(file), basename(file));
const recorded = await ask('/v1/activity', key, { method: 'POST', body: form });
const bundle = await ask(`/v1/bundle/${recorded.cid}`, key);

console.log(`project ${project.id} of ${slug}`);
console.log(`recorded ${recorded.cid}`);
for (const action of bundle.actions) {
  const who = bundle.entities.find(({ id }) => id === action.performedBy);
  console.log(`${action.timestamp}  ${action.type} by ${who.name}`);
}

/** Sends a request to the control plane on behalf of a user. */
function manage(path, body) {
  const headers = { 'x-user-id': 'lois', 'content-type': 'application/json' };
  return ask(path, secret, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function ask(path, token, init = {}) {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const answer = await fetch(base + path, { ...init, headers });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${body.error.message} ${body.error.recovery ?? ''}`);
  return body;
}
