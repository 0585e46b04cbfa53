import { EXAMPLE_USER, type ExampleCredentials, type ExampleRequest } from './create-example.js';

const MAX_BODY_LINE = 44;

/** The shell variables contain the secrets. */
const CREDENTIALS: Record<NonNullable<ExampleCredentials>, string[]> = {
  apiKey: ['-H "Authorization: Bearer $COLOPHON_API_KEY"'],
  managementKey: ['-H "Authorization: Bearer $MANAGEMENT_API_KEY"', `-H 'X-User-Id: ${EXAMPLE_USER}'`],
  session: [
    '-b cookies.txt -c cookies.txt',
    '-H "Origin: $COLOPHON_URL"',
    '-H "X-CSRF-Token: $COLOPHON_CSRF_TOKEN"',
  ],
  visitor: ['-b cookies.txt -c cookies.txt', '-H "Origin: $COLOPHON_URL"'],
};

/** Writes the request as a curl command for a POSIX shell. */
export function writeCurl(example: ExampleRequest): string {
  const { method, target, credentials, body, isBytes } = example;
  const isUsual = method === (body === undefined ? 'GET' : 'POST');
  const start = `curl -s --fail-with-body${isUsual ? '' : ` -X ${method}`} "$COLOPHON_URL${target}"`;
  return [
    start,
    ...(credentials === undefined ? [] : CREDENTIALS[credentials]),
    ...writeBody(body),
    ...(isBytes ? ['-o answer'] : []),
  ].join(' \\\n  ');
}

function writeBody(body: ExampleRequest['body']): string[] {
  if (body === undefined) return [];
  if (body.kind === 'bytes')
    return [`-H 'Content-Type: ${body.file.mediaType}'`, `--data-binary '@${body.file.name}'`];
  if (body.kind === 'json')
    return ["-H 'Content-Type: application/json'", `-d ${quoteShell(writeJson(body.json))}`];
  const json = body.json === undefined ? [] : [`-F ${quoteShell(`json=${writeJson(body.json)}`)}`];
  return [`-F 'file=@${body.file.name}'`, ...json];
}

function writeJson(value: object): string {
  const line = JSON.stringify(value);
  return line.length <= MAX_BODY_LINE ? line : JSON.stringify(value, null, 2);
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
