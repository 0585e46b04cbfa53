import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '@colophon/model';
import { describe, expect, it } from 'vitest';

interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: { type?: string; minimum?: number; pattern?: string };
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  responses: Record<string, { description: string }>;
}

const file = new URL('../../../../docs/api/openapi.json', import.meta.url);
const document = JSON.parse(readFileSync(file, 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

describe('the OpenAPI document', () => {
  it('declares whole numbers of the query as integers with their bounds', () => {
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const names = 'limit offset depth total maxResults topK leafIndex size from to'.split(' ');
    const numeric = parameters.filter(
      // `from` and `to` of a period are dates.
      ({ in: place, name, description }) =>
        place === 'query' && names.includes(name) && !description?.includes('of the period'),
    );
    expect(new Set(numeric.map(({ name }) => name))).toEqual(new Set(names));
    for (const { name, schema } of numeric)
      expect([name, schema]).toEqual([
        name,
        expect.objectContaining({ type: 'integer', minimum: expect.any(Number) }),
      ]);
    const texts = parameters.filter(
      ({ schema: { type, pattern } }) => type === 'string' && pattern?.startsWith('^\\d'),
    );
    expect(texts).toEqual([]);
  });

  it('states the defaults of members only in descriptions, because of code generators', () => {
    const found: string[] = [];
    let said = false;
    JSON.parse(JSON.stringify(document), (key, value) => {
      if (key === 'properties')
        for (const [name, schema] of Object.entries(value ?? {}))
          if (Object.hasOwn(schema as object, 'default')) found.push(name);
      if (key === 'description' && String(value).includes('Default: `"create"`')) said = true;
      return value;
    });
    expect(found).toEqual([]);
    expect(said).toBe(true);
  });

  it('names an error code for each error status of each operation except getReadiness', () => {
    const unsaid = operations.flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([status]) => Number(status) >= 400 && operationId !== 'getReadiness')
        .filter(
          ([, { description }]) =>
            !Object.keys(ERROR_CODES).some((code) => description.includes(`\`${code}\``)),
        )
        .map(([status, { description }]) => `${operationId} ${status} ${description}`),
    );
    expect(unsaid).toEqual([]);
  });

  it('declares Idempotency-Key for each recording that supports it', () => {
    const keyed = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name, required }) => name === 'idempotency-key' && required !== true),
    );
    expect(keyed.map(({ operationId }) => operationId).sort()).toEqual(
      [
        'claimOwnership',
        'createAttribution',
        'createEntity',
        'embedCredentials',
        'markContent',
        'recordAction',
        'recordActivity',
        'recordBatch',
        'transferOwnership',
      ].sort(),
    );
  });
});
