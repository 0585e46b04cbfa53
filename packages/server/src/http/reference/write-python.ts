import {
  EXAMPLE_USER,
  type ExampleBody,
  type ExampleCredentials,
  type ExampleRequest,
} from './create-example.js';
import { PYTHON_STYLE, writeLiteral } from './write-literal.js';

const CREDENTIALS: Record<NonNullable<ExampleCredentials>, string[]> = {
  apiKey: ['"Authorization": "Bearer " + os.environ["COLOPHON_API_KEY"]'],
  managementKey: [
    '"Authorization": "Bearer " + os.environ["MANAGEMENT_API_KEY"]',
    `"X-User-Id": "${EXAMPLE_USER}"`,
  ],
  session: ['"Origin": os.environ["COLOPHON_URL"]', '"X-CSRF-Token": os.environ["COLOPHON_CSRF_TOKEN"]'],
  visitor: ['"Origin": os.environ["COLOPHON_URL"]'],
};

/** Reads the cookies that `SAVE_COOKIES` wrote in an earlier program. */
const LOAD_COOKIES = [
  'cookies = http.cookiejar.MozillaCookieJar("cookies.txt")',
  'if os.path.exists("cookies.txt"):',
  '    cookies.load()',
  'opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))',
  '',
];
const SAVE_COOKIES = ['cookies.save()'];

/** Writes the request as code for Python 3 with only the standard library. */
export function writePython({ method, target, credentials, body, isBytes }: ExampleRequest): string {
  const needsJson = !isBytes || (body !== undefined && body.kind !== 'bytes');
  const types = { json: '"application/json"', bytes: `"${fileOf(body)?.mediaType}"`, form: FORM_TYPE };
  const headers = [
    ...(credentials === undefined ? [] : CREDENTIALS[credentials]),
    ...(body === undefined ? [] : [`"Content-Type": ${types[body.kind]}`]),
  ];
  const hasCookies = credentials === 'session' || credentials === 'visitor';
  const lines = [
    ...(hasCookies ? ['import http.cookiejar'] : []),
    ...(needsJson ? ['import json'] : []),
    'import os',
    'import urllib.request',
    ...(body?.kind === 'form' ? ['import uuid'] : []),
    '',
    ...(hasCookies ? LOAD_COOKIES : []),
    ...writeBody(body),
    'request = urllib.request.Request(',
    `    os.environ["COLOPHON_URL"] + ${JSON.stringify(target)},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((one) => `        ${one},`), '    },']),
    ...(body === undefined
      ? []
      : [body.kind === 'json' ? '    data=json.dumps(body).encode(),' : '    data=body,']),
    ')',
    `with ${hasCookies ? 'opener.open' : 'urllib.request.urlopen'}(request) as answer:`,
    isBytes ? '    print(len(answer.read()), "bytes")' : '    print(json.dumps(json.load(answer), indent=2))',
    ...(hasCookies ? SAVE_COOKIES : []),
  ];
  return lines.join('\n');
}

const FORM_TYPE = 'f"multipart/form-data; boundary={boundary}"';

function fileOf(body: ExampleBody | undefined) {
  return body === undefined || body.kind === 'json' ? undefined : body.file;
}

function writeBody(body: ExampleBody | undefined): string[] {
  if (body === undefined) return [];
  if (body.kind === 'json') return [`body = ${writeLiteral(body.json, PYTHON_STYLE)}`, ''];
  if (body.kind === 'bytes')
    return [`with open("${body.file.name}", "rb") as file:`, '    body = file.read()', ''];
  const { file, json } = body;
  const part = (name: string) => `--{boundary}\\r\\nContent-Disposition: form-data; name="${name}"`;
  const ofJson = [
    `described = ${writeLiteral(json, PYTHON_STYLE)}`,
    `body += f'${part('json')}\\r\\n\\r\\n{json.dumps(described)}\\r\\n'.encode()`,
  ];
  return [
    'boundary = uuid.uuid4().hex',
    'body = b""',
    ...(json === undefined ? [] : ofJson),
    `body += f'${part('file')}; filename="${file.name}"\\r\\n'.encode()`,
    `body += b"Content-Type: ${file.mediaType}\\r\\n\\r\\n"`,
    `with open("${file.name}", "rb") as file:`,
    '    body += file.read()',
    'body += f"\\r\\n--{boundary}--\\r\\n".encode()',
    '',
  ];
}
