interface Schema {
  default?: unknown;
  description?: string;
}

/**
 * Moves the defaults of body members from the schemas to the descriptions. Client generators treat a member with a
 * default as always present, and require it from callers.
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
