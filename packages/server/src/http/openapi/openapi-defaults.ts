interface Schema {
  default?: unknown;
  description?: string;
}

/** Moves defaults of members to the descriptions. Client generators require a member with a default from callers. */
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
