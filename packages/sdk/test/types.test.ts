import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type OpenApiDocument, toTypes } from './support/openapi-types.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const TYPED = path.join(ROOT, 'packages/sdk/test/support/typed-operations.js');
/**
 * Operations without a method in the SDK. The first three are second paths of other operations. Browsers call the
 * last one without the SDK.
 */
const WITHOUT_METHOD = [
  'createProjectInOrg',
  'listApiKeysOfProject',
  'createApiKeyInProject',
  'getPublishedPicture',
];
const document: OpenApiDocument = JSON.parse(readFileSync(path.join(ROOT, 'docs/api/openapi.json'), 'utf8'));

/** Each exported constant below causes a type error when the types of the SDK differ from the document. */
const COMPARISON = `
import type { SdkOperations } from '${TYPED}';
import type { Documented } from './documented.js';
type Both<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Extensions are any JSON in the document; the SDK knows the members of some. */
type IsExtensions<T> = 'ext:a@1.0.0' extends keyof T ? true : false;
/** All members are required, so that the comparison finds an optional member that one side lacks. */
type Full<T> = 0 extends 1 & T ? T : T extends string ? T
  : T extends object ? string extends keyof T ? T : IsExtensions<T> extends true ? Record<string, any> : { -readonly [Key in keyof T]-?: Full<T[Key]> }
  : T;
type Plain<T> = 0 extends 1 & T ? T : T extends string ? T
  : T extends object ? string extends keyof T ? T : IsExtensions<T> extends true ? Record<string, any> : { -readonly [Key in keyof T]: Plain<T[Key]> }
  : T;
type Differing = {
  [Op in keyof SdkOperations & keyof Documented]: {
    [Part in 'sent' | 'asked' | 'answered' as Both<
      Plain<NonNullable<SdkOperations[Op][Part]>>, Plain<Documented[Op][Part]>
    > extends true
      ? Both<Full<NonNullable<SdkOperations[Op][Part]>>, Full<Documented[Op][Part]>> extends true ? never : Part
      : Part]: \`\${Op}.\${Part}\`;
  };
};
type Faults = {
  [Op in keyof Differing]: Differing[Op][keyof Differing[Op]];
}[keyof Differing];
export const differing: Record<Faults & string, true> = {};
export const withoutMethod: Record<Exclude<keyof Documented, keyof SdkOperations | Second>, true> = {};
export const undocumented: Record<Exclude<keyof SdkOperations, keyof Documented>, true> = {};
type Second = ${WITHOUT_METHOD.map((name) => `'${name}'`).join(' | ')};
`;

const MODEL = path.join(ROOT, 'packages/model/dist/index.js');
const SDK = path.join(ROOT, 'packages/sdk/src/index.js');

/** A line of `offered` is a type error if an editor can suggest no values: `Extract` of a plain `string` is never. */
const LITERALS = `
import type { ActionRequest, AttributionRequest, EntityRequest } from '${MODEL}';
import { type ActionQuery, type AttributionQuery, attachPayment, type EntityQuery } from '${SDK}';
type Offered<T, Words> = [Words] extends [Extract<T, Words>] ? true : false;
export const offered: Record<string, true> = {
  role: true satisfies Offered<EntityRequest['role'], 'human' | 'ai' | 'organization'>,
  askedRole: true satisfies Offered<EntityQuery['role'], 'human' | 'ai' | 'organization'>,
  type: true satisfies Offered<ActionRequest['type'], 'create' | 'reference' | 'generate'>,
  askedType: true satisfies Offered<ActionQuery['type'], 'create' | 'reference' | 'generate'>,
  credit: true satisfies Offered<AttributionRequest['role'], 'creator' | 'source'>,
  askedCredit: true satisfies Offered<AttributionQuery['role'], 'creator' | 'source'>,
  resourceType: true satisfies Offered<ActionRequest['resourceType'], 'image' | 'text'>,
};
declare const anyText: string;
export const own: ActionRequest = {
  type: anyText,
  performedBy: 'ann',
  resourceType: 'film',
  extensions: { 'ext:mine@1.0.0': { any: 1 }, 'ext:ai@1.0.0': { provider: 'p', model: 'm' } },
};
export const paid: ActionRequest = { performedBy: 'ann', extensions: attachPayment({}, { shares: [] }) };
`;

const MALFORMED = `
import type { ActionRequest } from '${MODEL}';
export const wrong: ActionRequest = { performedBy: 'ann', extensions: { 'ext:ai@1.0.0': { provider: 7 } } };
`;

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

function compare(described: OpenApiDocument): string {
  writeFileSync(path.join(folder, 'documented.ts'), toTypes(described));
  return compile(COMPARISON);
}

function compile(program: string): string {
  writeFileSync(path.join(folder, 'program.ts'), program);
  const compilerOptions = {
    noEmit: true,
    composite: false,
    exactOptionalPropertyTypes: false,
    noUnusedLocals: false,
    noErrorTruncation: true,
    types: [],
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  };
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: path.join(ROOT, 'tsconfig.base.json'),
      compilerOptions,
      files: ['program.ts'],
    }),
  );
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const { stdout } = spawnSync(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], {
    encoding: 'utf8',
  });
  return stdout;
}

describe('the types of the SDK', () => {
  it('match the bodies, answers and queries of the OpenAPI document, except for the tag `compat`', () => {
    expect(compare(document)).toBe('');
  });

  it('do not match a document with another member, query parameter or set of operations', () => {
    const text = JSON.stringify(document);
    const { paths, components } = JSON.parse(text) as OpenApiDocument;
    const { Entity, ActionRequest } = components.schemas as Record<string, { properties: object }>;
    Object.assign(Entity?.properties ?? {}, { name: { type: 'integer' } });
    Object.assign(ActionRequest?.properties ?? {}, { mood: { type: 'string' } });
    paths['/v1/bundle/{cid}']?.get?.parameters?.push({ in: 'query', name: 'colour' });
    delete paths['/v1/actions'];
    const said = compare({ paths, components });
    for (const fault of ['getEntity.answered', 'recordAction.sent', 'getBundle.asked', 'listActions']) {
      expect(said).toContain(fault);
    }
    expect(said).not.toContain('getUsage');
  });

  it('suggest the terms of the specification, and also accept other terms', () => {
    expect(compile(LITERALS)).toBe('');
  });

  it('reject a known extension with a malformed member', () => {
    expect(compile(MALFORMED)).toContain("Type 'number' is not assignable to type 'string");
  });
});
