import type { Call } from './calls.js';
import type { Edit, Mutation } from './mutation.js';
import type { RawRequest } from './raw-request.js';

const BOUNDARY = 'fuzzed';

export function mutate(call: Call & { method: string }, change: Mutation, key: string): RawRequest {
  const [kind, sent] = toBytes(call, change);
  const body = spoil(sent, change.body);
  const isSent = (name: string) => change.headers.some(([changed]) => changed === name);
  const usual: [string, string][] = [
    ['authorization', `Bearer ${key}`],
    ...kind,
    ...Object.entries(call.headers ?? {}),
  ];
  return {
    method: change.method ?? call.method,
    target: toTarget(call.target, change),
    headers: [...usual.filter(([name]) => !isSent(name)), ...change.headers],
    body,
    announcedBytes: change.announced === undefined ? undefined : Math.max(0, body.length + change.announced),
  };
}

function toTarget(target: string, { path, query }: Mutation): string {
  const [pathname = '', before = ''] = target.split('?');
  const segments = pathname.split('/');
  if (path !== undefined) segments[1 + (path.at % Math.max(1, segments.length - 1))] = path.text;
  const added = (query ?? []).map(([name, value]) => `${name}=${value}`).join('&');
  const whole = [before, added].filter(Boolean).join('&');
  // A line break would end the request line, and a blank would end the target.
  return `${segments.join('/')}${whole === '' ? '' : `?${whole}`}`.replaceAll(/[\r\n ]/g, '+');
}

function toBytes({ json, form }: Call, { edits }: Mutation): [[string, string][], Buffer] {
  if (form !== undefined) {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    const text = form.json === undefined ? undefined : JSON.stringify(applyEdits(form.json, edits));
    return [[['content-type', type]], toForm(form.file ?? '', text)];
  }
  if (json === undefined) return [[], Buffer.alloc(0)];
  return [[['content-type', 'application/json']], Buffer.from(JSON.stringify(applyEdits(json, edits)) ?? '')];
}

function toForm(file: Uint8Array | string, json: string | undefined): Buffer {
  const part = (name: string, content: Uint8Array | string) => [
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const parts = [
    ...(json === undefined ? [] : part('name="json"', json)),
    ...part('name="file"; filename="a.bin"', file),
  ];
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function spoil(sent: Buffer, how: Mutation['body']): Buffer {
  if (how === 'as edited' || sent.length === 0) return sent;
  if ('text' in how) return Buffer.from(how.text);
  if ('cutAt' in how) return sent.subarray(0, how.cutAt % sent.length);
  const at = how.at % sent.length;
  return Buffer.concat([sent.subarray(0, at), how.bytes, sent.subarray(at + 1)]);
}

function applyEdits(json: unknown, edits: Edit[]): unknown {
  return edits.reduce((whole: unknown, one) => applyEdit(whole, one), structuredClone(json));
}

type Container = Record<string, unknown>;

function applyEdit(whole: unknown, { at, how, name, ...given }: Edit): unknown {
  const value = structuredClone(given.value);
  const places = placesOf(whole);
  const place = places[at % (places.length + 1)];
  if (place === undefined) return how === 'wrap' ? [whole] : how === 'replace' ? value : whole;
  const { container, member } = place;
  if (how === 'remove') delete container[member];
  else if (how === 'add') define(container, name, value);
  else define(container, member, how === 'wrap' ? [container[member]] : value);
  return whole;
}

/** `Object.defineProperty` also sets a member with the name `__proto__`. */
function define(container: Container, member: string, value: unknown): void {
  Object.defineProperty(container, member, { value, enumerable: true, configurable: true, writable: true });
}

function placesOf(value: unknown, depth = 0): { container: Container; member: string }[] {
  if (typeof value !== 'object' || value === null || depth > 6) return [];
  const container = value as Container;
  return Object.keys(container).flatMap((member) => [
    { container, member },
    ...placesOf(container[member], depth + 1),
  ]);
}
