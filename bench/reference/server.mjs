// Implements the main operations of the service with maps in memory, without validation, keys, log or disk. The targets
// of the benchmarks are ratios to `GET /` of this server. The parent process passes the response headers.
import { createHash, randomUUID } from 'node:crypto';
import { parseContentId } from '@colophon/model';
import Fastify from 'fastify';

const entities = new Map();
const actions = new Map();
const resources = new Map();
const makers = new Map();
const attributionsOf = new Map();

process.once('message', async ({ headers }) => {
  const app = Fastify({ bodyLimit: 2 ** 26 });
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request, body, done) =>
    done(null, toParts(request.headers['content-type'], body)),
  );
  addRoutes(app, headers);
  await app.listen({ host: '127.0.0.1', port: 0 });
  process.send({ port: app.server.address().port });
});

function addRoutes(app, headers) {
  const read = (reply, answer) => {
    if (answer === undefined) return reply.code(404).send({ error: { code: 'NotFound' } });
    const text = JSON.stringify(answer);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    return withHeaders(reply, { ...headers.read, etag })
      .type('application/json; charset=utf-8')
      .send(text);
  };
  const written = (reply, answer) => withHeaders(reply, headers.write).code(201).send(answer);

  app.get('/', (_request, reply) => withHeaders(reply, headers.read).send({ status: 'ok' }));
  app.get('/v1/entity/:id', ({ params }, reply) => read(reply, entities.get(params.id)));
  app.get('/v1/bundle/:cid', ({ params }, reply) => read(reply, readBundle(params.cid)));
  app.post('/v1/entity', ({ body }, reply) => written(reply, { entity: writeEntity(body) }));
  app.post('/v1/action', ({ body }, reply) => written(reply, recordAction(body)));
  app.post('/v1/batch', ({ body }, reply) => {
    const entityResults = (body.entities ?? []).map((entity) => ({ entityId: writeEntity(entity).id }));
    const short = ({ actionId, action: { digest } }) => ({ actionId, digest, replayed: false });
    return written(reply, {
      entities: entityResults,
      actions: body.actions.map(recordAction).map(short),
      attributions: [],
    });
  });
  app.post('/v1/activity', ({ body }, reply) => written(reply, recordFile(body)));
}

function withHeaders(reply, headers) {
  return reply.headers(headers).header('x-request-id', randomUUID());
}

function writeEntity(given) {
  const id = given.id ?? randomUUID();
  if (!entities.has(id)) entities.set(id, { ...given, id, createdAt: new Date().toISOString() });
  return entities.get(id);
}

function recordAction({ resourceType, ...given }) {
  const id = given.id ?? randomUUID();
  const recordedAt = new Date().toISOString();
  const digest = `sha256:${createHash('sha256').update(JSON.stringify(given)).digest('hex')}`;
  const action = { ...given, id, digest, recordedAt };
  actions.set(id, action);
  for (const cid of given.outputCids) {
    addTo(makers, cid, id);
    addTo(attributionsOf, cid, {
      id: randomUUID(),
      role: 'creator',
      entityId: given.performedBy,
      actionId: id,
      resourceCid: cid,
      createdAt: recordedAt,
    });
    if (!resources.has(cid))
      resources.set(cid, {
        cid,
        type: resourceType,
        state: null,
        createdBy: given.performedBy,
        rootAction: id,
        createdAt: recordedAt,
        locations: [],
      });
  }
  return { actionId: id, action };
}

function recordFile({ json, file }) {
  const { entity, action, resourceType = 'other' } = JSON.parse(json);
  const { id: performedBy } = writeEntity(entity);
  const cid = parseContentId(`sha256:${createHash('sha256').update(file).digest('hex')}`);
  const { actionId } = recordAction({ ...action, performedBy, outputCids: [cid], resourceType });
  Object.assign(resources.get(cid), { bytes: file, state: 'claimed' });
  return {
    cid,
    actionId,
    entityId: performedBy,
    resourceType,
    size: file.length,
    state: 'claimed',
    matches: [],
  };
}

function readBundle(cid) {
  if (!resources.has(cid)) return undefined;
  const found = new Set();
  const contents = new Set([cid]);
  for (const content of contents)
    for (const id of makers.get(content) ?? []) {
      found.add(id);
      for (const input of actions.get(id).inputCids ?? []) contents.add(input);
    }
  const chosen = [...found].map((id) => actions.get(id));
  const attributions = [...contents].flatMap((content) => attributionsOf.get(content) ?? []);
  const named = new Set([...chosen, ...attributions].map((one) => one.performedBy ?? one.entityId));
  const known = [...contents].map((content) => resources.get(content)).filter(Boolean);
  return {
    cid,
    entities: [...named].map((id) => entities.get(id)).filter(Boolean),
    actions: chosen,
    attributions,
    resources: known.map(({ bytes, ...resource }) => resource),
    complete: true,
  };
}

function toParts(contentType, body) {
  const boundary = Buffer.from(`\r\n--${/boundary=(\S+)/.exec(contentType)[1]}`);
  const parts = {};
  let start = boundary.length - 2;
  for (let end = body.indexOf(boundary, start); end !== -1; end = body.indexOf(boundary, start)) {
    const headEnd = body.indexOf('\r\n\r\n', start);
    const name = / name="(\w+)"/.exec(body.latin1Slice(start, headEnd))[1];
    const bytes = body.subarray(headEnd + 4, end);
    parts[name] = name === 'file' ? Buffer.from(bytes) : bytes.toString();
    start = end + boundary.length;
  }
  return parts;
}

function addTo(map, key, value) {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
