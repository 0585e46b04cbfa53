// Measures the time of rejections, which must not reveal whether a key or an entity exists.
import { startService } from './support/service.mjs';
import { medianOf } from './support/statistics.mjs';

const ROUNDS = 3_000;
const WARM_UP = 300;
const SECRET = 'mk_live_of-the-benchmark';

export async function run(report) {
  report.section('keys: median time of a rejection over HTTP, against the time of another rejection');
  const { createApiKeyText } = await import('../packages/server/dist/access/api-key.js');
  const service = await startService({
    MANAGEMENT_API_KEY: SECRET,
    API_KEYS: 'bench-key-of-project-one:one,bench-key-of-project-two:two',
  });
  try {
    const manage = manageOf(service);
    await manage('/orgs', { name: 'Bench', slug: 'bench' });
    const { id: projectId } = await manage('/projects', { orgSlug: 'bench', name: 'Bench' });
    const revoked = await manage('/api-keys', { projectId, name: 'bench' });
    await manage(`/api-keys/${revoked.id}`);
    await ask(service, {
      key: 'bench-key-of-project-two',
      path: '/v1/entity',
      body: { id: 'theirs', role: 'ai' },
    });
    const never = createApiKeyText();
    const cases = {
      'unknown key': { key: () => never },
      'unknown key, a new one each time': { key: createApiKeyText },
      'revoked key': { key: () => revoked.key },
      'key with a wrong checksum': { key: () => `${never.slice(0, -1)}${never.endsWith('0') ? '1' : '0'}` },
      'static key with one wrong character': { key: () => 'bench-key-of-project-onf' },
      'absent entity': { key: () => 'bench-key-of-project-one', path: '/v1/entity/nobody' },
      'entity of another project': { key: () => 'bench-key-of-project-one', path: '/v1/entity/theirs' },
    };
    const times = await measure(service, cases);
    for (const [name, against] of [
      ['unknown key, a new one each time', 'unknown key'],
      ['revoked key', 'unknown key'],
      ['key with a wrong checksum', 'unknown key'],
      ['static key with one wrong character', 'key with a wrong checksum'],
      ['entity of another project', 'absent entity'],
    ]) {
      report.figure(`${name}, against ${against}`, medianOf(times[name]) / medianOf(times[against]));
      report.note(
        `difference: ${deviations(times[name], times[against]).toPrecision(2)} standard errors, ${ROUNDS} rounds`,
      );
    }
  } finally {
    await service.stop();
  }
}

/** The order of the cases is random, so that other load on the machine affects all cases equally. */
async function measure(service, cases) {
  const names = Object.keys(cases);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const name of shuffled(names)) {
      const { key, path = '/v1/entity/nobody' } = cases[name];
      const terms = { key: key(), path };
      const startedMs = performance.now();
      await ask(service, terms);
      if (round >= 0) times[name].push(performance.now() - startedMs);
    }
  }
  return times;
}

function shuffled(names) {
  return names
    .map((name) => ({ name, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}

/**
 * Returns the difference of the two means, divided by its standard error. Ignores the slowest tenth, which other load
 * causes.
 */
function deviations(a, b) {
  const [x, y] = [a, b].map((values) => {
    const kept = [...values].sort((one, other) => one - other).slice(0, Math.floor(values.length * 0.9));
    const mean = kept.reduce((sum, value) => sum + value, 0) / kept.length;
    const variance = kept.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (kept.length - 1);
    return { mean, error: variance / kept.length };
  });
  return Math.abs(x.mean - y.mean) / Math.sqrt(x.error + y.error);
}

async function ask({ base }, { key, path, body }) {
  const answer = await fetch(base + path, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
}

function manageOf({ base }) {
  return async (path, body) => {
    const answer = await fetch(`${base}/management${path}`, {
      method: body === undefined ? 'DELETE' : 'POST',
      headers: {
        authorization: `Bearer ${SECRET}`,
        'x-user-id': 'bench',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}
