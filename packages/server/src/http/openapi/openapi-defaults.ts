interface Schema {
  default?: unknown;
  description?: string;
}

/**
 * The document, in which descriptions name the defaults of members of a body, and no schema has them: generators of
 * clients take a member with a default for one that is always there, and ask callers for it.
 */
export function declareDefaults<Document extends object>(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key !== 'properties' || typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, schema]) => [name, withoutDefault(schema)]),
    );
  });
}

function withoutDefault({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema;
  const description = [schema.description, `Default: \`${JSON.stringify(value)}\``]
    .filter(Boolean)
    .join('. ');
  return { ...schema, description };
}
