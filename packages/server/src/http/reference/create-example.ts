import { readBody, readFileName, readPathValue, readQuery } from './example-values.js';
import type { ReferenceOperation } from './read-document.js';

export interface ExampleFile {
  name: string;
  mediaType: string;
}

export type ExampleBody =
  | { kind: 'json'; json: object }
  | { kind: 'form'; file: ExampleFile; json: object | undefined }
  | { kind: 'bytes'; file: ExampleFile };

/** `session`: a signed-in user of the page. `visitor`: the page before sign-in. */
export type ExampleCredentials = 'apiKey' | 'managementKey' | 'session' | 'visitor' | undefined;

export interface ExampleRequest {
  id: string;
  method: string;
  /** Path with the values of its parameters, and query. */
  target: string;
  credentials: ExampleCredentials;
  parameters: Record<string, string>;
  query: Record<string, string | number>;
  body: ExampleBody | undefined;
  /** Whether the response is not JSON. */
  isBytes: boolean;
}

/** The user for whom the examples with the management secret act. */
export const EXAMPLE_USER = 'ann';

/** Throws for an operation without an example value. */
export function createExample(operation: ReferenceOperation): ExampleRequest {
  const { id, method, path, parameters } = operation;
  const values: Record<string, string> = {};
  for (const { name, in: place, example } of parameters)
    if (place === 'path') {
      const value = readPathValue(operation, name) ?? example;
      if (typeof value !== 'string')
        throw new Error(`The operation ${id} has no example value for its path parameter ${name}.`);
      values[name] = value;
    }
  const query = readQuery(id);
  const absent = parameters.find(
    ({ in: place, name, required }) => place === 'query' && required && !(name in query),
  );
  if (absent !== undefined)
    throw new Error(`The operation ${id} has no example value for its query parameter ${absent.name}.`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeValue(values[name] ?? ''));
  const search = Object.entries(query).map(([name, value]) => `${name}=${encodeValue(String(value))}`);
  return {
    id,
    method,
    target: search.length === 0 ? filled : `${filled}?${search.join('&')}`,
    credentials: readCredentials(operation),
    parameters: values,
    query,
    body: createBody(operation),
    isBytes: !sendsJson(operation),
  };
}

function readCredentials({ security, group }: ReferenceOperation): ExampleCredentials {
  if (security === 'apiKey' || security === 'managementKey' || security === 'session') return security;
  return group === 'page' ? 'visitor' : undefined;
}

/** Leaves `:` readable. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%3A', ':');
}

function createBody({ id, body }: ReferenceOperation): ExampleBody | undefined {
  if (body === undefined) return undefined;
  const json = readBody(id);
  const file = readFileName(id);
  if (body.mediaTypes.includes('multipart/form-data')) return { kind: 'form', file, json };
  if (!body.mediaTypes.includes('application/json')) return { kind: 'bytes', file };
  if (json === undefined) throw new Error(`The operation ${id} has no example value for its body.`);
  return { kind: 'json', json };
}

function sendsJson({ answers }: ReferenceOperation): boolean {
  const good = answers.find(({ status }) => status.startsWith('2'));
  return good === undefined || good.bodies.some(({ mediaType }) => mediaType === 'application/json');
}
