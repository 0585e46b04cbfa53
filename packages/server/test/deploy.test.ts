import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { formatWitnessKey, toWitnessKey } from '@colophon/model';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { variables } from '../src/config/variables.js';
import { readConfig } from '../src/config.js';
import { createDatabase } from './support/postgres.js';
import { ANY_ENGINE, jsonPost, startService } from './support/service.js';

const ROOT = new URL('../../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(`deploy/${file}`, ROOT), 'utf8');
const KNOWN = Object.keys(variables.shape);
const OF_THE_C_LIBRARY = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'];

const SECRETS: Record<string, string> = {
  POSTGRES_PASSWORD: 'ab'.repeat(24),
  S3_SECRET: 'cd'.repeat(24),
  MANAGEMENT_API_KEY: 'ef'.repeat(24),
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVER_SIGNING_KEY: '01'.repeat(32),
};

const substituted = (text: string) =>
  text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_whole, name: string, kind, rest) => {
    if (kind === '-') return rest;
    return SECRETS[name] ?? `nobody set ${name}`;
  });

it('the compose file configures a service that starts', () => {
  const { environment } = parse(read('compose.yaml')).services.colophon;
  const given = Object.entries<string>(environment).map(([name, value]) => [name, substituted(value)]);
  const config = readConfig({ NODE_ENV: 'production', ...Object.fromEntries(given) });
  expect(config.store).toMatchObject({ kind: 'postgresql' });
  expect(config.blobs).toMatchObject({ kind: 's3' });
  expect(config.ignoredVariables).toEqual([]);
});

it('the secrets that the compose file requires are in .env.example', () => {
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  const given = [...read('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
  expect(given).toEqual(expect.arrayContaining([...new Set(asked)]));
});

it('the image, the unit and the chart set only variables that the service or the C library knows', () => {
  const { env } = parse(read('helm/colophon/values.yaml'));
  const inImage = [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) =>
    pairs.split(' '),
  );
  const inUnit = /^Environment=(.*)$/m.exec(read('colophon.service'))?.[1]?.split(' ') ?? [];
  const names = [...inImage, ...inUnit].map((pair) => pair.split('=')[0]);
  expect(names.length).toBeGreaterThan(3);
  for (const name of [...names, ...Object.keys(env)]) expect([...KNOWN, ...OF_THE_C_LIBRARY]).toContain(name);
});

it('the chart is valid YAML without its template actions, and uses only values that it defines', () => {
  const values = parse(read('helm/colophon/values.yaml'));
  const folder = new URL('deploy/helm/colophon/templates/', ROOT);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  expect(files).toContain('deployment.yaml');
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8');
    const plain = text.replaceAll(/^\s*\{\{-.*\}\}\n/gm, '').replaceAll(/\{\{.*?\}\}/g, 'x');
    expect(parseDocument(plain).errors, file).toEqual([]);
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const found = path.split('.').reduce((at, name) => at?.[name], values);
      expect(found, `${file}: ${path}`).toBeDefined();
    }
  }
});

function leadsTo(path: string, { exact, below }: { exact: string[]; below: string[] }): boolean {
  const plain = posix.normalize(decodeURIComponent(path));
  return exact.includes(plain) || below.some((prefix) => plain.startsWith(`${prefix}/`));
}

describe('the reverse proxy of the service', () => {
  let callers: string[];
  let operators: string[];
  beforeAll(async () => {
    const service = await startService(ANY_ENGINE, { environment: { ADMIN_PORT: '0' } });
    const pathsOf = async (base = '') => {
      const { paths } = await (await fetch(`${base}/openapi.json`)).json();
      return Object.keys(paths).map((path) => path.replaceAll(/\{.*?\}/g, 'x'));
    };
    const shared = ['/', '/healthz', '/readyz'];
    callers = [
      ...(await pathsOf(service.base)),
      '/app/',
      '/app/assets/x',
      '/docs',
      '/docs/records',
      '/openapi.json',
      '/llms.txt',
    ];
    operators = (await pathsOf(service.adminBase)).filter((path) => !shared.includes(path));
    await service.stop();
  });

  const inCaddy = () => {
    const patterns = [...read('Caddyfile').matchAll(/^\s+path (.*)$/gm)].flatMap(([, list = '']) =>
      list.split(' '),
    );
    const below = patterns.flatMap((one) => (one.endsWith('/*') ? [one.slice(0, -2)] : []));
    return { exact: patterns.filter((one) => !one.includes('*')), below };
  };
  const inIngress = () => {
    const { exactPaths, prefixPaths } = parse(read('helm/colophon/values.yaml')).ingress;
    return { exact: [...exactPaths, ...prefixPaths], below: prefixPaths };
  };

  it.each([
    ['Caddy', inCaddy],
    ['the ingress', inIngress],
  ])('%s forwards all routes for callers, and none for operators', (_, readRoutes) => {
    const routes = readRoutes();
    expect(callers.length).toBeGreaterThan(80);
    expect(callers.filter((path) => !leadsTo(path, routes))).toEqual([]);
    expect(operators.length).toBeGreaterThan(10);
    const spelled = ['/management', '/metrics', ...operators].flatMap((path) => [
      path,
      path.replace('/m', '/%6d'),
      path.replace('/m', '/%6D'),
      `/${path}`,
      `/v1/..${path}`,
      `/app/%2e%2e${path}`,
    ]);
    expect(spelled.filter((path) => leadsTo(path, routes))).toEqual([]);
    expect(read('Caddyfile').match(/reverse_proxy/g)).toHaveLength(1);
    expect(read('Caddyfile')).toMatch(/handle @callers \{\s+reverse_proxy/);
  });

  it('the nodes of the compose file and of the chart serve operators on a port that is not forwarded', () => {
    const { services } = parse(read('compose.yaml'));
    const { ADMIN_PORT } = services.colophon.environment;
    expect(services.colophon.ports).toBeUndefined();
    expect(services.proxy.ports.join()).not.toContain(ADMIN_PORT);
    expect(read('helm/colophon/templates/deployment.yaml')).toMatch(/name: ADMIN_PORT\s+value: "3002"/);
    expect(read('helm/colophon/templates/ingress.yaml')).not.toContain('admin');
    expect(read('helm/colophon/templates/service.yaml')).not.toContain('admin');
    expect(read('helm/colophon/templates/service-monitor.yaml')).toMatch(/port: admin\s+path: \/metrics/);
  });
});

it('the dashboard and the alerts use only metrics of /metrics', async () => {
  const service = await startService('PostgreSQL', {
    environment: {
      DATABASE_URL: await createDatabase(inject('postgresUrl')),
      BLOCKCHAIN_RPC_URL: 'http://127.0.0.1:9',
      BLOCKCHAIN_CHAIN_ID: '31337',
      BLOCKCHAIN_CONTRACT_ADDRESS: `0x${'1'.repeat(40)}`,
      BLOCKCHAIN_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
      SERVER_SIGNING_KEY: '1'.repeat(64),
      WITNESSES: `${formatWitnessKey(toWitnessKey('one', Buffer.alloc(32, 7)))} http://127.0.0.1:9`,
    },
  });
  try {
    await service.send('/v1/entity', jsonPost({ id: 'ann', role: 'human', name: 'Ann' }));
    const metricsText = await (await service.send('/metrics')).text();
    const has = [...metricsText.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    const dashboard = JSON.parse(read('grafana/dashboard.json'));
    const alerts = parse(read('prometheus/alerts.yaml'));
    const questions: string[] = [
      ...dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
        panel.targets.map(({ expr }) => expr),
      ),
      ...alerts.groups.flatMap((group: { rules: { expr: string }[] }) => group.rules.map(({ expr }) => expr)),
    ];
    const asked = questions.flatMap((expr) =>
      [...expr.matchAll(/\b([a-z]\w*)\{/g)].map(([, name = '']) => name),
    );
    expect(asked.length).toBeGreaterThan(15);
    for (const name of asked) expect(['up', ...has]).toContain(name);
  } finally {
    await service.stop();
  }
});

it('the image and the systemd unit start Node with the flags of `npm start`', () => {
  const { start } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).scripts;
  expect(start).toMatch(/^node --v8-pool-size=\d+ packages\/server\/dist\/main\.js$/);
  const command = JSON.parse(/^CMD (.*)$/m.exec(read('Dockerfile'))?.[1] ?? '[]');
  expect(command.join(' ')).toBe(start);
  expect(/^ExecStart=\/usr\/bin\/(.*)$/m.exec(read('colophon.service'))?.[1]).toBe(start);
});
