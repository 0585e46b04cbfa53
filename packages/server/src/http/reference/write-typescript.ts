import { EXAMPLE_USER, type ExampleCredentials, type ExampleRequest } from './create-example.js';
import { SDK_CALLS } from './sdk-calls.js';
import { SCRIPT_STYLE, writeLiteral } from './write-literal.js';

const URL = 'url: String(process.env.COLOPHON_URL)';

const IN_PAGE = [
  "import { createPageClient } from '@colophon/sdk';",
  '',
  '// The browser sends the cookie of the session.',
  'const page = createPageClient({ url: location.origin });',
];

const CLIENTS: Record<NonNullable<ExampleCredentials> | 'none', string[]> = {
  apiKey: [
    "import { createClient } from '@colophon/sdk';",
    '',
    `const colophon = createClient({\n  ${URL},\n  apiKey: process.env.COLOPHON_API_KEY,\n});`,
  ],
  none: ["import { createClient } from '@colophon/sdk';", '', `const colophon = createClient({ ${URL} });`],
  managementKey: [
    "import { createManagementClient } from '@colophon/sdk';",
    '',
    `const management = createManagementClient({\n  ${URL},\n  managementKey: process.env.MANAGEMENT_API_KEY,\n  userId: '${EXAMPLE_USER}',\n});`,
  ],
  session: IN_PAGE,
  visitor: IN_PAGE,
};

const HEADERS: Record<NonNullable<ExampleCredentials>, string[]> = {
  apiKey: ['authorization: `Bearer ${process.env.COLOPHON_API_KEY}`'],
  managementKey: [
    'authorization: `Bearer ${process.env.MANAGEMENT_API_KEY}`',
    `'x-user-id': '${EXAMPLE_USER}'`,
  ],
  session: [],
  visitor: [],
};

/** Uses the SDK if it has a method for the operation, or else `fetch`. */
export function writeTypescript(example: ExampleRequest): string {
  const call = SDK_CALLS[example.id];
  return call === undefined ? writeFetch(example) : writeCall(example, call);
}

function writeCall({ credentials, parameters, query, body }: ExampleRequest, call: string): string {
  const file = body === undefined || body.kind === 'json' ? undefined : body.file.name;
  const json = body === undefined || body.kind === 'bytes' ? undefined : body.json;
  const values: Record<string, unknown> = { ...parameters, query, json: json ?? {} };
  const filled = call.replaceAll(/\{(\w+)(?:\.(\w+))?\}/g, (_all, name: string, member?: string) => {
    if (name === 'file') return name;
    const value = values[name];
    return writeLiteral(member === undefined ? value : Object(value)[member], SCRIPT_STYLE);
  });
  return [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises';"]),
    ...CLIENTS[credentials ?? 'none'],
    ...(file === undefined ? [] : [`const file = await readFile('${file}');`]),
    `console.log(await ${filled});`,
  ].join('\n');
}

function writeFetch({ method, target, credentials, body, isBytes }: ExampleRequest): string {
  const headers = [
    ...(credentials === undefined ? [] : HEADERS[credentials]),
    ...(body?.kind === 'json' ? ["'content-type': 'application/json'"] : []),
    ...(body?.kind === 'bytes' ? [`'content-type': '${body.file.mediaType}'`] : []),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: {\n${headers.map((one) => `    ${one},\n`).join('')}  },`]),
    ...(body === undefined ? [] : [BODY_OPTION[body.kind]]),
  ];
  const file = body === undefined || body.kind === 'json' ? undefined : body.file.name;
  const address = `\`\${process.env.COLOPHON_URL}${target}\``;
  return [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises';", '']),
    ...writeBody(body),
    options.length === 0
      ? `const answer = await fetch(${address});`
      : `const answer = await fetch(${address}, {\n${options.join('\n')}\n});`,
    `console.log(await answer.${isBytes ? 'arrayBuffer' : 'json'}());`,
  ].join('\n');
}

const BODY_OPTION = { json: '  body: JSON.stringify(body),', form: '  body: form,', bytes: '  body: file,' };

function writeBody(body: ExampleRequest['body']): string[] {
  if (body === undefined) return [];
  if (body.kind === 'json') return [`const body = ${writeLiteral(body.json, SCRIPT_STYLE)};`];
  if (body.kind === 'bytes') return [`const file = await readFile('${body.file.name}');`];
  const { file, json } = body;
  const ofJson = `form.set('json', JSON.stringify(${writeLiteral(json ?? {}, SCRIPT_STYLE)}));`;
  return [
    'const form = new FormData();',
    ...(json === undefined ? [] : [ofJson]),
    `form.set('file', new Blob([await readFile('${file.name}')]), '${file.name}');`,
  ];
}
