import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { SECRET_VARIABLES } from '../../src/config/variables.js';
import { type Databases, openDatabases } from '../../src/platform/db/open-databases.js';
import { callsOf } from '../contract/calls.js';
import { makeManagedWorld } from '../contract/managed-world.js';
import { makePageWorld } from '../contract/page-world.js';
import { sendCall } from '../contract/send-call.js';
import { recordWorld } from '../contract/world.js';
import { type EchoServer, startEchoServer } from '../support/echo-server.js';
import { findInDatabases, formsOf } from '../support/find-in-database.js';
import { freePort } from '../support/free-port.js';
import { PNG } from '../support/media.js';
import { PASSWORD } from '../support/page-user.js';
import { createDatabase } from '../support/postgres.js';
import { type ServiceProcess, startProcess } from '../support/process.js';
import { runCli } from '../support/run-cli.js';
import { jsonPost, type Service, toForm } from '../support/service.js';
import { makeSigner } from '../support/signers.js';

const word = () => randomBytes(24).toString('base64url');
const hex = () => `5e${randomBytes(31).toString('hex')}`;

const planted = {
  staticKey: word(),
  managementKey: word(),
  metricsToken: word(),
  secretsKey: randomBytes(32).toString('base64'),
  signingKey: hex(),
  chainKey: hex(),
  rpcPath: word(),
  databasePassword: word(),
  redisPassword: word(),
  openIdSecret: word(),
  openIdCode: word(),
  openIdState: word(),
  embeddingsPath: word(),
  embeddingsKey: word(),
  pinataJwt: word(),
  gatewayToken: word(),
  s3Id: word(),
  s3Key: word(),
  tracesHeader: word(),
  tracesPath: word(),
  timeStampPath: word(),
  supabaseKey: word(),
  projectPinKey: word(),
  mistypedKey: word(),
  queryToken: word(),
  password: PASSWORD,
  wrongPassword: word(),
};
const signer = makeSigner();
const secrets = new Map<string, string>(Object.entries(planted));
secrets.set('signer', signer.privateKeyPem.split('\n')[2] ?? '');

/** A successful response of these operations may contain a secret of its caller. */
const SHOWN = [
  /^POST \/management\/.*api-keys/,
  /^POST \/management\/api-keys\/.*rotate/,
  /^POST \/management\/.*webhooks/,
  /^POST \/management\/.*invitations/,
  /^(GET|POST) \/app\/api\/(session|accounts)/,
];

const SECRET_MEMBERS = /"(?:key|secret|csrfToken|invitation)":"([^"]{20,})"/g;

function leaksIn(text: string): string[] {
  const lower = text.toLowerCase();
  return [...secrets].filter(([, secret]) => formsIn(secret, text, lower)).map(([name]) => name);
}

const known = new Map<string, string[]>();
function formsIn(secret: string, text: string, lower: string): boolean {
  const forms = known.get(secret) ?? [...formsOf(secret), encodeURIComponent(secret)];
  known.set(secret, forms);
  return forms.some((form) => text.includes(form) || (/^[0-9a-f]+$/.test(form) && lower.includes(form)));
}

describe('a secret', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-secrets-'));
  let echo: EchoServer;
  let service: ServiceProcess;
  let databases: Databases;
  let environment: Record<string, string>;
  /** The contract tests create their data through a `Service`. */
  let asService: Service;

  beforeAll(async () => {
    echo = await startEchoServer();
    const url = new URL(await createDatabase(inject('postgresUrl')));
    databases = await openDatabases({ kind: 'postgresql', url: url.href, directUrl: undefined });
    url.password = planted.databasePassword;
    environment = {
      ...{ LOG_LEVEL: 'trace', DATABASE_URL: url.href, DATABASE_DIRECT_URL: url.href, DATA_DIR: directory },
      ...{ MAX_UPLOAD_BYTES: '2000000', MAX_MEDIA_BYTES: '2000000', ALLOW_PRIVATE_ADDRESSES: 'true' },
      API_KEYS: `${planted.staticKey}:one`,
      MANAGEMENT_API_KEY: planted.managementKey,
      METRICS_TOKEN: planted.metricsToken,
      SECRETS_KEY: planted.secretsKey,
      SERVER_SIGNING_KEY: planted.signingKey,
      ...{ BLOB_STORE: 'dir', S3_ACCESS_KEY_ID: planted.s3Id, S3_SECRET_ACCESS_KEY: planted.s3Key },
      ...{ PINATA_JWT: planted.pinataJwt, PINATA_GATEWAY: `${echo.url}/?token=${planted.gatewayToken}` },
      REDIS_URL: `redis://user:${planted.redisPassword}@${new URL(echo.url).host}`,
      ...{
        EMBEDDINGS_URL: `${echo.url}/${planted.embeddingsPath}`,
        EMBEDDINGS_API_KEY: planted.embeddingsKey,
      },
      ...{ OIDC_ISSUER: echo.url, OIDC_CLIENT_ID: 'colophon', OIDC_CLIENT_SECRET: planted.openIdSecret },
      ...{ BLOCKCHAIN_RPC_URL: `${echo.url}/rpc/${planted.rpcPath}`, BLOCKCHAIN_CHAIN_ID: '31337' },
      ...{ BLOCKCHAIN_CONTRACT_ADDRESS: `0x${'12'.repeat(20)}`, BLOCKCHAIN_ANCHOR_SECONDS: '0' },
      BLOCKCHAIN_PRIVATE_KEY: `0x${planted.chainKey}`,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${echo.url}/${planted.tracesPath}`,
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: `authorization=${planted.tracesHeader}`,
      SUPABASE_SERVICE_KEY: planted.supabaseKey,
    };
    service = await startProcess(environment);
    asService = toService(service);
  }, 180_000);
  afterAll(async () => {
    await service?.stop();
    await databases?.close();
    await echo?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  function toService({ base }: ServiceProcess): Service {
    const send: Service['send'] = (target, init = {}) =>
      fetch(base + target, {
        ...init,
        headers: { authorization: `Bearer ${planted.staticKey}`, ...init.headers },
      });
    const manage: Service['manage'] = (user, target, { method, body } = {}) =>
      fetch(`${base}/management${target}`, {
        ...(body === undefined ? { method: method ?? 'GET' } : jsonPost(body)),
        ...(method === undefined ? {} : { method }),
        headers: {
          authorization: `Bearer ${planted.managementKey}`,
          'x-user-id': user,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      });
    return { base, send, manage, config: {}, context: { databases } } as unknown as Service;
  }

  it('is in no answer of any operation, except the answers that return it to its owner', {
    timeout: 400_000,
  }, async () => {
    const world = await recordWorld(asService, planted.staticKey);
    const managed = await makeManagedWorld(asService);
    const page = await makePageWorld(asService);
    secrets.set('made key', managed.key);
    secrets.set('session', page.user.cookie?.split('=')[1] ?? '');
    page.invitations.forEach((invitation, index) => void secrets.set(`invitation ${index}`, invitation));
    const calls = callsOf({ world, managed, page, tooLarge: new Uint8Array(2_000_001) });
    const found = new Set<string>();
    let cut = 0;
    for (const [name, ofOperation] of Object.entries(calls)) {
      for (const { as, ...call } of ofOperation) {
        const key = {
          nobody: undefined,
          reader: planted.mistypedKey,
          owner: planted.staticKey,
          manager: planted.managementKey,
        }[as ?? 'owner'];
        const answer = await sendCall(service.base, { ...call, method: name.split(' ')[0] ?? '', key }).catch(
          () => undefined,
        );
        // The service may close the connection during a large rejected body.
        if (answer === undefined) {
          cut += 1;
          continue;
        }
        const text = `${JSON.stringify([...answer.headers])}\n${await answer.text()}`;
        if (!SHOWN.some((shown) => shown.test(name)) || answer.status >= 400)
          for (const leak of leaksIn(text)) found.add(`${name} ${answer.status}: ${leak}`);
        for (const [, made = ''] of text.matchAll(SECRET_MEMBERS)) secrets.set(`of ${name}`, made);
      }
    }
    expect([...found]).toEqual([]);
    expect(cut).toBeLessThan(5);
  });

  it('is in no answer if an outside server fails and echoes it', { timeout: 120_000 }, async () => {
    const project = await (
      await asService.manage('ann', '/projects', { body: { orgSlug: 'planet', name: 'Pins' } })
    ).json();
    const settings = { ipfsProvider: 'kubo', ipfsGateway: echo.url, ipfsApiKey: planted.projectPinKey };
    const key = await (
      await asService.manage('ann', '/api-keys', {
        body: { projectId: project.id, name: 'pins', permissions: 'write' },
      })
    ).json();
    secrets.set('key of a project', key.key);
    const signing = { signingCertificate: signer.certificatePem, signingKey: signer.privateKeyPem };
    const said = { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: null, ...signing };
    const query = `token=${planted.queryToken}&api_key=${planted.queryToken}`;
    const begun = await fetch(`${service.base}/app/api/openid/begin`, { redirect: 'manual' });
    const pending = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { state } = JSON.parse(Buffer.from(pending.split('=')[1] ?? '', 'base64url').toString());
    const answers = [
      await asService.manage('ann', `/projects/${project.id}`, { method: 'PUT', body: settings }),
      await asService.send('/v1/activity', {
        method: 'POST',
        body: toForm('to be pinned', { entity: { role: 'human', name: 'Bo' } }),
        headers: { authorization: `Bearer ${key.key}` },
      }),
      await asService.send('/v1/media/embed', { method: 'POST', body: toForm(PNG, said) }),
      await asService.send('/v1/media/embed', {
        method: 'POST',
        body: toForm(PNG, { ...said, signingCertificate: 'x' }),
      }),
      await asService.send('/v1/search/text', jsonPost({ text: 'what is it' })),
      await fetch(`${service.base}/app/api/openid/callback?code=${planted.openIdCode}&state=${state}`, {
        redirect: 'manual',
        headers: { cookie: pending },
      }),
      await fetch(
        `${service.base}/app/api/openid/callback?code=${planted.openIdCode}&state=${planted.openIdState}`,
        { redirect: 'manual', headers: { cookie: pending } },
      ),
      await fetch(
        `${service.base}/app/api/session`,
        jsonPost({ name: 'ann', password: planted.wrongPassword }, { origin: service.base }),
      ),
      ...(await Promise.all(
        ['/metrics', '/openapi.json', '/docs', '/readyz', '/healthz', '/', '/app/', '/none', '/v1/log'].map(
          (at) => asService.send(`${at}?${query}`),
        ),
      )),
    ];
    expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 201, 201]);
    for (const answer of answers)
      expect(leaksIn(`${JSON.stringify([...answer.headers])}\n${await answer.text()}`), answer.url).toEqual(
        [],
      );
    await expect
      .poll(
        () =>
          ['/rpc/', '/token', '/api/v0/add', planted.embeddingsPath, planted.tracesPath].filter(
            (part) => !echo.asked.some((one) => one.includes(part)),
          ),
        { timeout: 60_000 },
      )
      .toEqual([]);
    await sleep(1000);
  });

  it('is in no output of the service', () => {
    const printed = service.output();
    expect(printed.split('\n').length).toBeGreaterThan(500);
    const lines = printed.split('\n').filter((line) => leaksIn(line).length > 0);
    // The secrets do not contain the invitation of the first account, which the start prints.
    expect(lines.map((line) => `${leaksIn(line)}: ${line.slice(0, 1500)}`)).toEqual([]);
  });

  it('is in no row of the database as plain text', { timeout: 300_000 }, async () => {
    const found: string[] = [];
    for (const [name, secret] of secrets)
      for (const place of await findInDatabases(databases, secret)) found.push(`${name}: ${place}`);
    expect(found).toEqual([]);
  });

  it('is in no output of the command line', { timeout: 240_000 }, async () => {
    const login = { COLOPHON_URL: service.base, COLOPHON_API_KEY: planted.staticKey, COLOPHON_USER: 'ann' };
    const broken = Object.fromEntries(
      SECRET_VARIABLES.map((name) => [name, `not a value ${planted.queryToken}`]),
    );
    const addresses = Object.keys(environment).filter(
      (name) => name.endsWith('_URL') && name !== 'DATABASE_URL',
    );
    const wrong = Object.fromEntries(addresses.map((name) => [name, `nonsense ${planted.queryToken}`]));
    const closed = `postgres://colophon:${planted.databasePassword}@127.0.0.1:${await freePort()}/none`;
    const store = { BLOB_STORE: 's3', S3_BUCKET: 'bucket', S3_ENDPOINT: echo.url };
    const runs: [argv: string[], more: Record<string, string>][] = [
      [['doctor'], {}],
      [['doctor'], { ...broken, ...wrong }],
      [['fsck'], store],
      [['migrate'], { DATABASE_URL: closed, DATABASE_DIRECT_URL: closed }],
      [['orgs', 'audit', 'planet'], {}],
      [['bundle', 'nonsense'], {}],
      [['bundle', 'nonsense'], { COLOPHON_API_KEY: planted.mistypedKey }],
      [['bundle', 'nonsense'], { COLOPHON_URL: echo.url }],
      [['anchor', 'deploy'], {}],
    ];
    for (const [argv, more] of runs) {
      const { stdout, stderr } = await runCli(argv, { ...environment, ...login, ...more });
      expect(stdout + stderr, argv.join(' ')).not.toBe('');
      expect(leaksIn(stdout + stderr), `${argv.join(' ')}: ${stdout + stderr}`).toEqual([]);
    }
  });

  it('is in no output of a service whose bucket and time-stamps fail', { timeout: 120_000 }, async () => {
    const second = await startProcess({
      ...environment,
      ...{ BLOB_STORE: 's3', S3_BUCKET: 'bucket', S3_ENDPOINT: echo.url },
      C2PA_TSA_URL: `${echo.url}/${planted.timeStampPath}`,
    });
    const form = toForm('of the bucket', { entity: { role: 'human' } });
    const said = { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: null };
    const texts: string[] = [];
    for (const [at, body] of [
      ['/v1/activity', form],
      ['/v1/media/embed', toForm(PNG, said)],
    ] as const) {
      const headers = { authorization: `Bearer ${planted.staticKey}` };
      const answer = await second.send(at, { method: 'POST', body, headers });
      expect(answer.status).toBe(503);
      texts.push(await answer.text());
    }
    texts.push(await (await second.send('/readyz')).text());
    await second.stop();
    for (const line of [...texts, ...second.output().split('\n')])
      expect(leaksIn(line), line.slice(0, 1500)).toEqual([]);
  });
});
