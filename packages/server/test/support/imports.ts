import path from 'node:path';
import { readSource, type SourceText } from './source-text.js';

/**
 * The rooms of the server, lowest layer first. A room is a file or a folder. A file may import from its own room and
 * from lower layers. Rooms of one layer may not import each other, unless the layer is one unit (`together`).
 */
const LAYERS: { rooms: string[]; together?: boolean }[] = [
  { rooms: ['errors.ts'] },
  {
    rooms: [
      'body-fault.ts',
      'platform/files',
      'platform/json-text.ts',
      'platform/sleep-until.ts',
      'platform/threads',
      'platform/tracing',
      'platform/uuid-v7.ts',
    ],
  },
  { rooms: ['platform/work'] },
  { rooms: ['platform/db', 'platform/net'] },
  { rooms: ['platform/jobs'] },
  { rooms: ['blobs', 'media', 'search', 'transparency-log'] },
  { rooms: ['control'] },
  { rooms: ['access', 'anchors', 'witnesses'] },
  { rooms: ['records/draft'] },
  { rooms: ['records/conversion'] },
  { rooms: ['records/read'] },
  { rooms: ['records/pinning'] },
  { rooms: ['records/matching'] },
  { rooms: ['records/write'] },
  {
    rooms: [
      'records/ownership',
      'records/credentials',
      'records/publishing',
      'records/compliance',
      'records/thumbnails',
      'integrity',
      'backup',
      'management',
      'webhooks',
    ],
  },
  { rooms: ['http/wire'] },
  { rooms: ['http/middleware'] },
  { rooms: ['http/handlers'] },
  { rooms: ['http/openapi', 'http/page', 'http/provenancekit', 'http/reference', 'http/routes'] },
  { rooms: ['http/build-app.ts', 'http/write-documents.ts'] },
  {
    rooms: ['config.ts', 'config', 'compose.ts', 'compose', 'context.ts'],
    together: true,
  },
  { rooms: ['main.ts', 'cli.ts', 'cli', 'index.ts'], together: true },
];

/** All rooms of a group share the types in these files. */
const CONTRACTS: Readonly<Record<string, string>> = {
  'http/app.ts': 'http/',
  'records/deps.ts': 'records/',
};

/** The rooms of the first pattern may not import the rooms of the second, even those in a lower layer. */
const APART: [RegExp, RegExp][] = [[/^(management|webhooks)\//, /^(records|integrity|backup)\//]];

/** Only these places may import the packages. */
const PACKAGE_HOMES: { packages: RegExp; homes: RegExp; place: string }[] = [
  { packages: /^(fastify|@fastify)(\/|-|$)/, homes: /^http\//, place: 'http/' },
  {
    packages: /^undici(\/|$)/,
    homes: /^platform\/(net|db\/supabase)\//,
    place: 'platform/net/ and platform/db/supabase/',
  },
  { packages: /^@supabase\//, homes: /^platform\/db\/supabase\//, place: 'platform/db/supabase/' },
  { packages: /^openid-client(\/|$)/, homes: /^access\/openid\.ts$/, place: 'access/openid.ts' },
  { packages: /^@opentelemetry\/(?!api$)/, homes: /^platform\/tracing\//, place: 'platform/tracing/' },
  { packages: /^viem(\/|$)/, homes: /^anchors\//, place: 'anchors/' },
  {
    packages: /^(pkijs|asn1js)(\/|$)/,
    homes: /^anchors\/timestamps\//,
    place: 'anchors/timestamps/',
  },
  { packages: /^@contentauth\/c2pa-wasm(\/|$)/, homes: /^media\//, place: 'media/' },
  { packages: /^@colophon\/sdk(\/|$)/, homes: /^cli\//, place: 'cli/' },
  { packages: /^@modelcontextprotocol\/sdk(\/|$)/, homes: /^cli\/mcp/, place: 'cli/mcp/' },
  { packages: /^(pg|pg-[a-z-]+|@electric-sql\/.+)(\/|$)/, homes: /^platform\/db\//, place: 'platform/db/' },
  { packages: /^@aws-sdk(\/|$)/, homes: /^blobs\/s3\//, place: 'blobs/s3/' },
  {
    packages: /^@redis\/client(\/|$)/,
    homes: /^access\/shared-limiter\.ts$/,
    place: 'access/shared-limiter.ts',
  },
  {
    packages: /^(node:)?(https|http2|tls|dns|dgram)(\/|$)/,
    homes: /^platform\/net\//,
    place: 'platform/net/',
  },
  { packages: /^(node:)?process$/, homes: /^config\.ts$/, place: 'config.ts' },
];

/** Only these files may import Node modules that open or accept connections. Types are allowed everywhere. */
const CONNECTORS: { packages: RegExp; homes: RegExp; place: string }[] = [
  { packages: /^(node:)?http$/, homes: /^(http\/|cli\/(mcp|witness)\/http-server\.ts$)/, place: 'http/' },
  // `variables.ts` and `limit-requests.ts` import `net` only to check addresses.
  {
    packages: /^(node:)?net$/,
    homes: /^(platform\/net\/|config\/variables\.ts$|http\/middleware\/limit-requests\.ts$)/,
    place: 'platform/net/',
  },
];

/**
 * Files that may send requests. For an address from a caller, they use the guarded `fetch` that they receive as a
 * parameter.
 */
const SENDERS = [
  ...['webhooks/post.ts', 'blobs/pinning/pinning-request.ts'],
  ...['anchors/open-chain.ts', 'media/signing/time-stamp.ts', 'media/create-media-engine.ts'],
  ...['search/embed-text.ts', 'witnesses/request-cosignature.ts', 'anchors/timestamps/request-token.ts'],
  'cli/watch/tile-log.ts',
];

const MODEL_PACKAGES = /^(zod|multiformats|@noble\/[a-z-]+)(\/|$)/;
const SERVER = 'packages/server/src/';
const MODEL = 'packages/model/src/';
const SDK = 'packages/sdk/src/';
const WEB = 'packages/web/src/';

/** Lowest first. `a story` stands for each other folder. Stories may not import each other. */
const WEB_LAYERS = [
  ['languages'],
  ['strings'],
  ['translations'],
  ['ui'],
  ['shell'],
  ['publishing'],
  ['marking'],
  ['library'],
  ['a story'],
  ['stories.ts'],
  ['draw-page.tsx'],
  ['main.ts'],
];
const WEB_PACKAGES = /^(@colophon\/(model|sdk)|react|react-dom\/client)$/;
const WEB_C2PA = { packages: /^@trustnxt\/c2pa-ts(\/|$)/, home: `${WEB}check/credentials/` };

/**
 * Matches the beginning of an SQL statement. `textViolations` skips a text that starts with a single capital, like an
 * English sentence.
 */
const SQL = new RegExp(
  [
    String.raw`select\s[\s\S]*(\sfrom\s|\(|\*|\$)|select\s+\d`,
    String.raw`insert\s+into\s+\S`,
    String.raw`update\s+\S+(\s+as\s+\w+|\s+\w+)?\s+set\s`,
    String.raw`delete\s+from\s+\S`,
    String.raw`with\s+(recursive\s+)?\w+\s*(\([^)]*\)\s*)?as\s+(materialized\s+|not\s+materialized\s+)?\(`,
    String.raw`(create|alter|drop)\s+(or\s+replace\s+)?(unique\s+|temp\s+|temporary\s+|materialized\s+)*(table|index|function|view|schema|extension|type|trigger|database|role|sequence)\s`,
    String.raw`truncate\s+(table\s+)?[\w.]+\s*(cascade)?$`,
  ]
    .map((pattern) => String.raw`^\s*(?:${pattern})`)
    .join('|'),
  'i',
);

/** `files`: repository path -> source. Returns sentences. */
export function findViolations(files: Map<string, string>): string[] {
  const sources = new Map([...files].map(([file, source]) => [file, readSource(source)]));
  const each = [...sources].flatMap(([file, source]) => [
    ...violationsOf(file, source),
    ...textViolations(file, source),
  ]);
  return [...each, ...cycles(sources)];
}

/** Lists names in the rules that match no file. */
export function findAbsent(files: Map<string, string>): string[] {
  const places = [...files.keys()].map((file) => file.replace(SERVER, ''));
  const rooms = LAYERS.flatMap((layer) => layer.rooms);
  const named = [...rooms, ...Object.keys(CONTRACTS), ...SENDERS].filter(
    (name) => !places.some((place) => place === name || place.startsWith(`${name}/`)),
  );
  const homes = [...PACKAGE_HOMES, ...CONNECTORS].filter(
    ({ homes }) => !places.some((place) => homes.test(place)),
  );
  return [...named, ...homes.map(({ place }) => place)];
}

function violationsOf(file: string, source: SourceText): string[] {
  if (file.startsWith(MODEL)) return modelViolations(file, source);
  if (file.startsWith(WEB)) return webViolations(file, source);
  return file.startsWith(SDK) ? sdkViolations(file, source) : serverViolations(file, source);
}

/** The client runs in browsers. */
function sdkViolations(file: string, { imports }: SourceText): string[] {
  const isPayment = file.startsWith(`${SDK}payments/`);
  return imports.flatMap(({ specifier }) => {
    if (specifier.startsWith('.')) {
      const target = resolve(file, specifier);
      return target.startsWith(SDK) ? [] : [`${file} imports ${target}: the SDK imports only itself`];
    }
    const isAllowed = specifier === '@colophon/model' || (isPayment && specifier === 'viem');
    return isAllowed ? [] : [`${file} imports ${specifier}: not for the SDK`];
  });
}

/** The page talks to the service through the SDK alone. */
function webViolations(file: string, { imports, code }: SourceText): string[] {
  const place = file.slice(WEB.length);
  const misplaced = imports.flatMap(({ specifier }) => {
    const isC2pa = WEB_C2PA.packages.test(specifier) && file.startsWith(WEB_C2PA.home);
    if (!specifier.startsWith('.'))
      return isC2pa || WEB_PACKAGES.test(specifier) ? [] : [`${file} imports ${specifier}: not for the page`];
    const target = resolve(file, specifier);
    const isAllowed = target.startsWith(WEB) && mayImportInWeb(place, target.slice(WEB.length));
    return isAllowed ? [] : [`${file} imports ${target}: not a lower layer of the page`];
  });
  // The badge runs on other sites without the SDK, so it may send requests.
  const asks =
    !place.startsWith('badge/') && /\bfetch\s*\(|\bXMLHttpRequest\b|\bEventSource\b|\bWebSocket\b/.test(code);
  return [...misplaced, ...(asks ? [`${file} makes requests: only the SDK does`] : [])];
}

function mayImportInWeb(place: string, imported: string): boolean {
  if (entryOf(place) === entryOf(imported)) return true;
  const layer = (of: string) => {
    const found = WEB_LAYERS.findIndex((entries) => entries.includes(entryOf(of)));
    return found === -1 ? WEB_LAYERS.findIndex((entries) => entries.includes('a story')) : found;
  };
  return layer(imported) < layer(place);
}

function modelViolations(file: string, { imports }: SourceText): string[] {
  return imports.flatMap(({ specifier }) => {
    if (!specifier.startsWith('.'))
      return MODEL_PACKAGES.test(specifier) ? [] : [`${file} imports ${specifier}: not for model`];
    const target = resolve(file, specifier);
    return target.startsWith(MODEL) ? [] : [`${file} imports ${target}: model imports only itself`];
  });
}

function serverViolations(file: string, { imports }: SourceText): string[] {
  const place = file.slice(SERVER.length);
  const misplaced = imports
    .filter(({ specifier }) => !specifier.startsWith('.'))
    .flatMap(({ specifier, typeOnly }) =>
      [...PACKAGE_HOMES, ...(typeOnly ? [] : CONNECTORS)]
        .filter(({ packages, homes }) => packages.test(specifier) && !homes.test(place))
        .map((rule) => `${file} imports ${specifier}: only ${rule.place} does`),
    );
  if (layerOf(place) === -1)
    return [...misplaced, `${file} is in no known folder: add its folder to imports.ts`];
  const upward = imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, typeOnly }) => ({ target: resolve(file, specifier), typeOnly }))
    .filter(({ target, typeOnly }) => !mayImport(place, target, typeOnly))
    .map(({ target }) => `${file} imports ${target}: not a lower layer`);
  return [...misplaced, ...upward];
}

function mayImport(place: string, target: string, typeOnly: boolean): boolean {
  if (!target.startsWith(SERVER)) return false;
  const imported = target.slice(SERVER.length);
  if (roomOf(place) === roomOf(imported)) return true;
  if (typeOnly && place.startsWith('http/') && imported === 'context.ts') return true;
  const house = CONTRACTS[imported];
  if (house !== undefined && place.startsWith(house)) return true;
  if (APART.some(([one, other]) => one.test(place) && other.test(imported))) return false;
  const [from, to] = [layerOf(place), layerOf(imported)];
  return to < from || (to === from && LAYERS[from]?.together === true);
}

/** `platform/db/pglite/worker.ts` -> `platform/db`; `main.ts` -> `main.ts`. */
function roomOf(place: string): string | undefined {
  const rooms = LAYERS.flatMap((layer) => layer.rooms);
  return rooms.find((room) => place === room || place.startsWith(`${room}/`));
}

/** A file in `CONTRACTS` has the layer of the highest room of its group. */
function layerOf(place: string): number {
  const house = CONTRACTS[place];
  if (house !== undefined)
    return LAYERS.findLastIndex(({ rooms }) => rooms.some((room) => room.startsWith(house)));
  return LAYERS.findIndex(({ rooms }) => rooms.includes(roomOf(place) ?? ''));
}

/** `check/a.ts` -> `check`; `main.ts` -> `main.ts`. */
function entryOf(place: string): string {
  return place.split('/', 1)[0] ?? place;
}

function textViolations(file: string, { code, literals }: SourceText): string[] {
  const found: string[] = [];
  if (/\bprocess\s*(\?\.|\.)\s*env\b|\bprocess\s*\[/.test(code) && file !== `${SERVER}config.ts`)
    found.push(`${file} reads process.env: only config.ts does`);
  if (file.startsWith(SERVER) && sends(code) && !SENDERS.includes(file.slice(SERVER.length)))
    found.push(`${file} sends requests: only ${SENDERS.join(', ')} do`);
  if (/\bexport\s+default\b|\bas\s+default\b/.test(code)) found.push(`${file} has a default export`);
  if (!isHomeOfSql(file))
    for (const text of literals.filter((literal) => SQL.test(literal) && !/^\s*[A-Z][a-z]/.test(literal)))
      found.push(`${file} holds SQL: ${JSON.stringify(text.trim().slice(0, 40))}`);
  return found;
}

/** A use of the type of `fetch` does not count. */
function sends(code: string): boolean {
  const named = code.replaceAll(/\btypeof\s+globalThis\s*\.\s*fetch\b/g, '');
  return /(?<![.\w$])fetch\s*\(|\bglobalThis\s*(\?\.|\.)\s*fetch\b|\bnew\s+(WebSocket|EventSource)\b/.test(
    named,
  );
}

function isHomeOfSql(file: string): boolean {
  return file.startsWith(`${SERVER}platform/db/`) || file.endsWith('.sql.ts');
}

function resolve(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.js$/, '.ts');
}

/** Returns cycles as `a -> b -> a`. Imports of types count too. */
function cycles(sources: Map<string, SourceText>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start !== -1) found.push(`cycle: ${[...trail.slice(start), file].join(' -> ')}`);
    if (start !== -1 || done.has(file)) return;
    for (const { specifier } of sources.get(file)?.imports ?? [])
      if (specifier.startsWith('.')) visit(resolve(file, specifier), [...trail, file]);
    done.add(file);
  };
  for (const file of sources.keys()) visit(file, []);
  return [...new Set(found)];
}
