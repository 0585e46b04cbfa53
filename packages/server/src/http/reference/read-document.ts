export interface ReferenceSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, ReferenceSchema>;
  required?: string[];
  items?: ReferenceSchema;
  additionalProperties?: boolean | ReferenceSchema;
  anyOf?: ReferenceSchema[];
  oneOf?: ReferenceSchema[];
  allOf?: ReferenceSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface ReferenceParameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  schema?: ReferenceSchema;
  example?: unknown;
}

export interface ReferenceAnswer {
  status: string;
  description: string;
  /** Empty for a response without a body. */
  bodies: { mediaType: string; schema: ReferenceSchema }[];
}

export interface ReferenceOperation {
  /** The `operationId`. */
  id: string;
  method: string;
  path: string;
  group: string;
  summary: string;
  description: string | undefined;
  /** Name of the credentials in `securitySchemes`; undefined for an operation without them. */
  security: string | undefined;
  /** The permission that an API key needs. */
  permission: string | undefined;
  /** Whether a key that is bound to one entity may not use the operation. */
  isForProject: boolean;
  parameters: ReferenceParameter[];
  body: { mediaTypes: string[]; schema: ReferenceSchema } | undefined;
  answers: ReferenceAnswer[];
}

export interface ReferenceGroup {
  name: string;
  description: string;
  operations: ReferenceOperation[];
}

/** The parts of the OpenAPI document that the reference shows. */
export interface ApiReference {
  version: string;
  summary: string;
  /** Groups with at least one operation, in the order of the tags of the document. */
  groups: ReferenceGroup[];
  schemas: Record<string, ReferenceSchema>;
}

interface OpenApiDocument {
  info?: { version?: string; description?: string };
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Record<string, OpenApiMethod> | undefined>;
  components?: { schemas?: Record<string, ReferenceSchema> };
}

type OpenApiContent = Record<string, { schema?: ReferenceSchema }>;

interface OpenApiMethod {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, unknown>[];
  parameters?: ReferenceParameter[];
  requestBody?: { content?: OpenApiContent };
  responses?: Record<string, { description?: string; content?: OpenApiContent }>;
  'x-permission'?: string;
  'x-for-project'?: boolean;
}

export function readDocument(document: object): ApiReference {
  const { info = {}, tags = [], paths = {}, components = {} } = document as OpenApiDocument;
  const operations = Object.entries(paths).flatMap(([path, methods = {}]) =>
    Object.entries(methods).map(([method, described]) => toOperation({ path, method }, described)),
  );
  const groups = tags.map(({ name, description = '' }) => ({
    name,
    description,
    operations: operations.filter(({ group }) => group === name),
  }));
  return {
    version: info.version ?? '',
    summary: info.description ?? '',
    groups: groups.filter((group) => group.operations.length > 0),
    schemas: components.schemas ?? {},
  };
}

function toOperation(
  { path, method }: { path: string; method: string },
  { operationId, summary = '', description, tags = [], security = [], ...rest }: OpenApiMethod,
): ReferenceOperation {
  const [body] = Object.values(rest.requestBody?.content ?? {});
  return {
    id: operationId ?? `${method}-${path}`,
    method: method.toUpperCase(),
    path,
    group: tags[0] ?? '',
    summary,
    description,
    security: Object.keys(security[0] ?? {})[0],
    permission: rest['x-permission'],
    isForProject: rest['x-for-project'] === true,
    parameters: rest.parameters ?? [],
    body: body && {
      mediaTypes: Object.keys(rest.requestBody?.content ?? {}),
      schema: body.schema ?? {},
    },
    answers: Object.entries(rest.responses ?? {}).map(([status, answer]) => ({
      status,
      description: answer.description ?? '',
      bodies: Object.entries(answer.content ?? {}).map(([mediaType, { schema = {} }]) => ({
        mediaType,
        schema,
      })),
    })),
  };
}

const SCHEMA_PREFIX = '#/components/schemas/';

/** Returns undefined for a schema without a reference. */
export function nameOfReference({ $ref }: ReferenceSchema): string | undefined {
  return $ref?.startsWith(SCHEMA_PREFIX) ? $ref.slice(SCHEMA_PREFIX.length) : undefined;
}
