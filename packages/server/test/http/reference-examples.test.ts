import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExample, type ExampleRequest } from '../../src/http/reference/create-example.js';
import { EXAMPLE_CID, EXAMPLE_IDS, readBody, TEXT_FILE } from '../../src/http/reference/example-values.js';
import { readDocument } from '../../src/http/reference/read-document.js';
import { writeCurl } from '../../src/http/reference/write-curl.js';
import { writePython } from '../../src/http/reference/write-python.js';
import { writeTypescript } from '../../src/http/reference/write-typescript.js';
import { inviteFirstAccount } from '../../src/management/sessions/invite-member.js';
import { ANY_ENGINE, KEY, MANAGEMENT_KEY, type Service, startService } from '../support/service.js';
import { texturedPicture } from '../support/textured-picture.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
/** In a folder of the repository, imports find the SDK. */
const ARTIFACTS = path.join(ROOT, '.artifacts');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;
const HAS_CURL = spawnSync('curl', ['--version']).status === 0;

let service: Service;
let folder: string;
let examples: ExampleRequest[];
/** The ids of the examples -> the ids of the service. */
const ids = new Map<string, string>();

const withIds = (text: string) => [...ids].reduce((all, [shown, real]) => all.replaceAll(shown, real), text);
const exampleOf = (id: string) => {
  const found = examples.find((example) => example.id === id);
  if (found === undefined) throw new Error(`There is no operation ${id}.`);
  return found;
};

async function send({ method, target, credentials, body }: ExampleRequest): Promise<Response> {
  const keys = new Map([
    ['apiKey', KEY],
    ['managementKey', MANAGEMENT_KEY],
  ]);
  const key = keys.get(credentials ?? '');
  const headers: Record<string, string> = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(credentials === 'managementKey' ? { 'x-user-id': 'ann' } : {}),
    ...(body?.kind === 'json' ? { 'content-type': 'application/json' } : {}),
    ...(body?.kind === 'bytes' ? { 'content-type': body.file.mediaType } : {}),
  };
  const content = body === undefined ? undefined : await toBody(body);
  return fetch(service.base + withIds(target), {
    method,
    headers,
    ...(content === undefined ? {} : { body: content }),
  });
}

const bytes = new Map<string, Blob>();

async function toBody(body: NonNullable<ExampleRequest['body']>): Promise<BodyInit> {
  if (body.kind === 'json') return withIds(JSON.stringify(body.json));
  const file = bytes.get(body.file.name) ?? new Blob([]);
  if (body.kind === 'bytes') return file;
  const form = new FormData();
  if (body.json !== undefined) form.set('json', JSON.stringify(body.json));
  form.set('file', file, body.file.name);
  return form;
}

async function run(
  [program, ...argv]: readonly [string, ...string[]],
  more: Record<string, string> = {},
): Promise<string> {
  const environment = {
    PATH: process.env.PATH,
    COLOPHON_URL: service.base,
    COLOPHON_API_KEY: KEY,
    MANAGEMENT_API_KEY: MANAGEMENT_KEY,
    ...more,
  };
  const child = spawn(program, argv, { cwd: folder, env: environment });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${printed}exit code ${code}`);
  return printed;
}

beforeAll(async () => {
  service = await startService(ANY_ENGINE, { environment: { PUBLIC_LOGS: 'all', PUBLIC_DETECTOR: 'true' } });
  mkdirSync(ARTIFACTS, { recursive: true });
  folder = mkdtempSync(path.join(ARTIFACTS, 'examples-'));
  const api = readDocument(await (await fetch(`${service.base}/openapi.json`)).json());
  examples = api.groups.flatMap(({ operations }) => operations).map(createExample);
  const photo = await (await texturedPicture(3)).jpeg().toBuffer();
  bytes.set('photo.jpg', new Blob([photo])).set(TEXT_FILE.name, new Blob([TEXT_FILE.content]));
  const json = async (id: string) => {
    const answer = await send(exampleOf(id));
    const found = await answer.json();
    expect([id, answer.ok, answer.ok ? '' : found]).toEqual([id, true, '']);
    return found;
  };
  const recorded = await json('recordActivity');
  expect(recorded.cid).toBe(EXAMPLE_CID);
  ids.set(EXAMPLE_IDS.action, recorded.actionId);
  ids.set(EXAMPLE_IDS.attribution, (await json('createAttribution')).id);
  await json('recordBatch');
  const { manifest, cid } = await json('embedCredentials');
  ids.set(EXAMPLE_IDS.manifest, manifest.label);
  bytes.set('signed.jpg', await (await service.send(`/v1/resource/${cid}/content`)).blob());
  ids.set(EXAMPLE_IDS.publication, (await json('publish')).id);
  await json('createOrg');
  ids.set(EXAMPLE_IDS.project, (await json('createProjectInOrg')).id);
  ids.set(EXAMPLE_IDS.apiKey, (await json('createApiKeyInProject')).id);
  ids.set(EXAMPLE_IDS.webhook, (await json('createWebhook')).id);
  ids.set(EXAMPLE_IDS.invitation, (await json('inviteMember')).id);
  for (const [name, blob] of bytes)
    writeFileSync(path.join(folder, name), Buffer.from(await blob.arrayBuffer()));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

describe('an example of the API reference', () => {
  /** No sample changes data that another one reads. */
  const SAMPLE = [
    ...['createEntity', 'getEntity', 'getBundle', 'getContent', 'searchFile', 'extractCredentials'],
    ...['getEntityReceipt', 'proveInclusion', 'getComplianceReport', 'listPublications', 'listLabels'],
    ...['queryByContent', 'compatReadMedia', 'createApiKey'],
  ];

  it.skipIf(!HAS_CURL)('runs with curl', async () => {
    for (const id of SAMPLE) {
      const command = withIds(writeCurl(exampleOf(id)));
      await expect(run(['sh', '-c', command]), id).resolves.toBeTypeOf('string');
    }
  });

  /** Each example succeeds if the examples run in this order. */
  const SESSION = ['checkInvitation', 'signUp', 'getPageSession', 'joinOrg', 'signOut', 'signIn'];
  const LAST = ['changePassword', 'signOut'];
  const INVITATION = JSON.stringify(readBody('joinOrg')).split('"')[3] ?? '';

  /** Uses the CSRF token of the latest session. Returns the last output. */
  async function runInSession(names: readonly string[], toProgram: (id: string) => [string, ...string[]]) {
    let token = '';
    let printed = '';
    for (const id of names) {
      printed = await run(toProgram(id), { COLOPHON_CSRF_TOKEN: token });
      token = JSON.parse(printed).csrfToken ?? token;
    }
    return JSON.parse(printed);
  }

  it.skipIf(!HAS_CURL || !HAS_PYTHON)('signs up, in and out with curl and Python', async () => {
    const first = await inviteFirstAccount(service.context.databases.control);
    const { invitation } = await (await send(exampleOf('inviteMember'))).json();
    const toPython = (id: string): [string, ...string[]] => [
      'python3',
      '-c',
      withIds(writePython(exampleOf(id))),
    ];
    const toCurl = (id: string): [string, ...string[]] => {
      const code = id === 'joinOrg' ? invitation : first?.split('#')[1];
      return ['sh', '-c', withIds(writeCurl(exampleOf(id))).replace(INVITATION, code)];
    };
    expect(await runInSession(SESSION, toCurl)).toMatchObject({ signedIn: true });
    // Python reads the cookies of curl.
    const others = ['getPageSession', 'signOut', 'signIn', ...LAST];
    expect(await runInSession(others, toPython)).toMatchObject({ signedIn: false });
  });

  it.skipIf(!HAS_PYTHON)('runs with the standard library of Python', async () => {
    // Each example runs in a separate namespace.
    const texts = SAMPLE.map((id) => withIds(writePython(exampleOf(id))));
    writeFileSync(path.join(folder, 'examples.json'), JSON.stringify(texts));
    const program =
      'import json\nfor text in json.load(open("examples.json")):\n    exec(text, {})\n    print("done")';
    expect((await run(['python3', '-c', program])).match(/^done$/gm)).toHaveLength(SAMPLE.length);
  });

  it('runs with TypeScript', async () => {
    for (const id of SAMPLE)
      writeFileSync(path.join(folder, `${id}.mjs`), withIds(writeTypescript(exampleOf(id))));
    writeFileSync(
      path.join(folder, 'all.mjs'),
      SAMPLE.map((id) => `await import('./${id}.mjs');\nconsole.log('done');\n`).join(''),
    );
    expect((await run([process.execPath, 'all.mjs'])).match(/^done$/gm)).toHaveLength(SAMPLE.length);
  });

  it('has the types of the SDK, for every operation', () => {
    const types = path.join(folder, 'types');
    mkdirSync(types);
    for (const example of examples)
      writeFileSync(path.join(types, `${example.id}.ts`), `${writeTypescript(example)}\nexport {};\n`);
    const compilerOptions = {
      ...{
        target: 'es2023',
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      },
      ...{ lib: ['es2023', 'dom'], types: ['node'], skipLibCheck: true },
    };
    writeFileSync(path.join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const compiler = path.join(ROOT, 'node_modules/.bin/tsc');
    const { status, stdout } = spawnSync(compiler, ['-p', types], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '']);
  });

  const EXCEPTIONS: Readonly<Record<string, [status: number, reason: string]>> = {
    recordActivity: [409, 'The file is already recorded.'],
    compatRecordActivity: [409, 'The file is already recorded.'],
    createOrg: [409, 'The organisation exists.'],
    createProjectInOrg: [409, 'The project exists.'],
    compatGetAgent: [404, 'No agent is recorded.'],
    compatEmbedText: [503, 'EMBEDDINGS_URL is not set.'],
    getActionTimestamp: [404, 'TSA_URL is not set.'],
    getEntityTimestamp: [404, 'TSA_URL is not set.'],
    getAttributionTimestamp: [404, 'TSA_URL is not set.'],
    getTile: [404, 'The log is too short for a complete tile.'],
    getPublicTile: [404, 'The example names a project without this log.'],
    getPublicPartialTile: [404, 'The example names a project without this log.'],
    getPublicManifestById: [404, 'The manifest is not public.'],
    getPublicationProof: [404, 'The publication withholds fields.'],
    getPublishedPicture: [404, 'The publication shows a text.'],
  };
  it('succeeds, for every operation without a session', async () => {
    expect(examples.length).toBeGreaterThan(140);
    const faults: string[] = [];
    const ofPage = ({ credentials }: ExampleRequest) =>
      credentials === 'session' || credentials === 'visitor';
    const sent = examples.filter((example) => !ofPage(example));
    expect(new Set(examples.filter(ofPage).map(({ id }) => id))).toEqual(new Set([...SESSION, ...LAST]));
    // Deletions come last, because other examples need the deleted data.
    const isLast = ({ method, id }: ExampleRequest) =>
      Number(method === 'DELETE') + ['deleteProject', 'deleteOrg'].indexOf(id);
    for (const example of sent.sort((one, other) => isLast(one) - isLast(other))) {
      const answer = await send(example);
      const text = await answer.text();
      const [expected] = EXCEPTIONS[example.id] ?? [];
      if (expected === undefined ? !answer.ok : answer.status !== expected)
        faults.push(`${example.id}: ${answer.status} ${text.slice(0, 200)}`);
    }
    expect(faults).toEqual([]);
  });
});
