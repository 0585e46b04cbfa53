type Schema = Record<string, unknown>;

interface Documented {
  operationId: string;
  tags?: string[];
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Schema> };
}

/**
 * `Documented` has a member for each operation without the tag `compat`, by its id: `sent` (the JSON body, or the
 * `json` part of a form), `asked` (the names of the query parameters) and `answered` (the JSON of a successful
 * response). Each of these three is `never` if the operation has none.
 */
export function toTypes({ paths, components }: OpenApiDocument): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `type ${name}_ = ${toType(schema)};`,
  );
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .filter(({ tags = [] }) => !tags.includes('compat'))
    .map(
      (operation) => `  ${operation.operationId}: {
    sent: ${sentType(operation, components.schemas)};
    asked: ${askedType(operation)};
    answered: ${answeredType(operation)};
  };`,
    );
  return `${schemas.join('\n')}\nexport interface Documented {\n${operations.join('\n')}\n}\n`;
}

function sentType({ requestBody }: Documented, schemas: Record<string, Schema>): string {
  const { content = {} } = requestBody ?? {};
  const json = content['application/json']?.schema;
  if (json !== undefined) return toType(json);
  const form = content['multipart/form-data']?.schema;
  const name =
    String(form?.$ref ?? '')
      .split('/')
      .at(-1) ?? '';
  const { properties = {} } = (schemas[name] ?? form ?? {}) as { properties?: Record<string, Schema> };
  return properties.json === undefined ? 'never' : toType(properties.json);
}

/** The SDK does not use `offset`. */
function askedType({ parameters = [] }: Documented): string {
  const names = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'offset');
  return names.length === 0 ? 'never' : names.map(({ name }) => JSON.stringify(name)).join(' | ');
}

function answeredType({ responses }: Documented): string {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => {
      const schema = content['application/json']?.schema;
      return schema === undefined ? [] : [toType(schema)];
    });
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ');
}

/** A schema without a type becomes `any`, which fits every narrower type. */
function toType(schema: Schema): string {
  if (typeof schema.$ref === 'string') return `${schema.$ref.split('/').at(-1)}_`;
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined;
  if (choices !== undefined) return `(${choices.map(toType).join(' | ')})`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => toType({ ...schema, type })).join(' | ');
  }
  return toTypeOfKind(schema);
}

function toTypeOfKind(schema: Schema): string {
  switch (schema.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
      return 'number';
    case 'array':
      return `(${toType(schema.items as Schema)})[]`;
    case 'object':
      return toObjectType(schema);
    default:
      return 'any';
  }
}

function toObjectType({ properties, required = [], additionalProperties }: Schema): string {
  const members = Object.entries((properties ?? {}) as Record<string, Schema>).map(([name, member]) => {
    const isRequired = (required as string[]).includes(name);
    return `${JSON.stringify(name)}${isRequired ? '' : '?'}: ${toType(member)}${isRequired ? '' : ' | undefined'}`;
  });
  const isMap =
    typeof additionalProperties === 'object' && Object.keys(additionalProperties ?? {}).length > 0;
  if (members.length > 0) return `{ ${members.join('; ')} }`;
  return `Record<string, ${isMap ? toType(additionalProperties as Schema) : 'any'}>`;
}
