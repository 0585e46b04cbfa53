import { ERROR_CODES } from '@colophon/model';
import { z } from 'zod';

type JsonObject = Record<string, unknown>;
/** The first call compiles the schema. */
type LazyValidator = () => z.ZodType;

export interface Operation {
  /** `GET /v1/entity/{id}`. */
  name: string;
  method: string;
  path: string;
  tags: string[];
  /** The schema of the first media type, by documented status; undefined if the body is bytes or absent. */
  answers: Map<number, LazyValidator | undefined>;
  /** Schemas of the other media types, by status and media type. */
  exports: Map<string, LazyValidator | undefined>;
  secured: boolean;
  /** `path.id`, `query.limit`, `body.action.inputCids`. */
  inputs: string[];
}

export interface Answer {
  status: number;
  mediaType: string | undefined;
  requestId: string | undefined;
  text: string;
}

interface DocumentedOperation {
  parameters?: { in: string; name: string }[];
  tags?: string[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, { content?: Record<string, { schema: JsonObject }> }>;
  security: unknown[];
}

export function readOperations(document: JsonObject): Operation[] {
  const { components, paths } = document as {
    components: { schemas: Record<string, JsonObject> };
    paths: Record<string, Record<string, DocumentedOperation>>;
  };
  const { schemas } = components;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([verb, { parameters = [], requestBody, responses, security, tags = [] }]) => {
        const method = verb.toUpperCase();
        const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
        return {
          name: `${method} ${path}`,
          method,
          path,
          tags,
          answers: new Map(
            Object.entries(responses).map(([status, { content = {} }]) => [
              Number(status),
              toValidator(Object.values(content)[0]?.schema, schemas),
            ]),
          ),
          exports: new Map(
            Object.entries(responses).flatMap(([status, { content = {} }]) =>
              Object.entries(content)
                .slice(1)
                .map(([type, { schema }]) => [`${status} ${type}`, toValidator(schema, schemas)] as const),
            ),
          ),
          secured: security.length > 0,
          inputs: [
            ...parameters.map((parameter) => `${parameter.in}.${parameter.name}`),
            ...bodies.flatMap((body) => membersOf(body, { schemas, place: 'body' })),
          ],
        };
      },
    ),
  );
}

export function findOperation(
  operations: readonly Operation[],
  { method, target }: { method: string; target: string },
): Operation | undefined {
  const [pathname = ''] = target.split(/[?#]/, 1);
  const matches = (path: string) =>
    new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`).test(pathname);
  const found = (verb: string) => operations.find((one) => one.method === verb && matches(one.path));
  return found(method) ?? (method === 'HEAD' ? found('GET') : undefined);
}

export function answerFault({ answers, exports, method }: Operation, answer: Answer): string | undefined {
  if (!answers.has(answer.status)) return `${answer.status} is not documented: ${answer.text}`;
  const exported = exports.get(`${answer.status} ${answer.mediaType?.split(';')[0]}`);
  const schema = exported ?? answers.get(answer.status);
  const bodyless = method === 'HEAD' || [204, 302, 304].includes(answer.status);
  if (bodyless) return answer.text === '' ? undefined : `a ${answer.status} has a body: ${answer.text}`;
  if (schema === undefined) return undefined;
  if (exported === undefined && answer.mediaType !== 'application/json; charset=utf-8')
    return `the body is ${answer.mediaType}`;
  const { error } = schema().safeParse(JSON.parse(answer.text));
  return error === undefined ? undefined : `${z.prettifyError(error)}\nin ${answer.text}`;
}

const errorShape = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[]),
    message: z.string().min(1),
    recovery: z.string().min(1).optional(),
    details: z.unknown().optional(),
    requestId: z.string().min(1),
  }),
});

export function errorFault({ status, mediaType, requestId, text }: Answer): string | undefined {
  if (mediaType !== 'application/json; charset=utf-8') return `the error is ${mediaType}: ${text}`;
  const parsed = errorShape.safeParse(parseJson(text));
  if (!parsed.success) return `${z.prettifyError(parsed.error)}\nin ${text}`;
  const { error } = parsed.data;
  const statuses: readonly number[] = ERROR_CODES[error.code].statuses;
  if (!statuses.includes(status)) return `${error.code} came with ${status}`;
  if (requestId !== undefined && error.requestId !== requestId)
    return `${error.requestId} is not ${requestId}`;
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns undefined for bytes, which the document describes as a string with a media type. */
function toValidator(
  schema: JsonObject | undefined,
  schemas: Record<string, JsonObject>,
): LazyValidator | undefined {
  if (schema === undefined || 'contentMediaType' in schema) return undefined;
  let compiled: z.ZodType | undefined;
  return () => {
    compiled ??= compile({ ...schema, $defs: referredBy(schema, schemas) });
    return compiled;
  };
}

function compile(schema: JsonObject): z.ZodType {
  const text = JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as JsonObject, { registry: z.registry() });
}

function referredBy(
  schema: JsonObject,
  schemas: Record<string, JsonObject>,
  found: Record<string, JsonObject> = {},
): Record<string, JsonObject> {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    const component = schemas[name];
    if (component === undefined || name in found) continue;
    found[name] = component;
    referredBy(component, schemas, found);
  }
  return found;
}

/** Returns the innermost named members. Does not enter arrays and free-form objects. */
function membersOf(
  schema: JsonObject,
  { schemas, place }: { schemas: Record<string, JsonObject>; place: string },
): string[] {
  const name =
    String(schema.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const { properties = {} } = (schemas[name] ?? schema) as { properties?: Record<string, JsonObject> };
  return Object.entries(properties).flatMap(([member, inner]) => {
    const at = `${place}.${member}`;
    const within = membersOf(inner, { schemas, place: at });
    return within.length === 0 ? [at] : within;
  });
}
