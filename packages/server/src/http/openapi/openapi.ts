import swagger from '@fastify/swagger';
import type { FastifyContextConfig } from 'fastify';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from '../app.js';
import type { DescribedRoutes } from '../wire/rendered-documents.js';
import { declareDefaults } from './openapi-defaults.js';
import { declareHeaders } from './openapi-headers.js';

const transform = createJsonSchemaTransform({ skipList: [] });

export async function describeApi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Colophon',
        version,
        description: 'Records who did what to which content, and serves the history of a CID as a bundle.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [
        { name: 'records', description: 'Entities, actions, files and their history' },
        {
          name: 'compliance',
          description: 'Facts about the marks of a project in a period, for an auditor',
        },
        { name: 'log', description: 'The append-only transparency log, its proofs and receipts' },
        { name: 'media', description: 'Content Credentials (C2PA) in media files' },
        { name: 'search', description: 'Search for known content, exact or altered' },
        { name: 'c2pa', description: 'C2PA Soft Binding Resolution' },
        { name: 'publications', description: 'Public histories of a project' },
        { name: 'public', description: 'Routes that need no key' },
        { name: 'management', description: 'Organisations, projects, members, API keys and usage' },
        { name: 'page', description: 'Sign-in for the page of this service' },
        { name: 'compat', description: 'Routes of the ProvenanceKit SDK 0.1.16, in the format of this SDK' },
        { name: 'service', description: 'Health and this document' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'A project API key, `pk_live_...`' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'colophon_session',
            description:
              '`__Host-colophon_session` over TLS. Requests that change something also send `X-CSRF-Token` and `Origin`',
          },
          managementKey: { type: 'http', scheme: 'bearer', description: 'The management secret' },
        },
      },
    },
    transform({ schema, url, route, ...rest }) {
      const { multipartBody, rawBody } = route.config ?? {};
      const permissions = schema === undefined ? {} : toPermissions(schema, route.config);
      const form =
        multipartBody === undefined
          ? undefined
          : { mediaTypes: ['multipart/form-data'], schema: multipartBody };
      const taken = rawBody ?? form;
      const described =
        taken === undefined ? schema : { ...schema, consumes: taken.mediaTypes, body: taken.schema };
      return transform({ schema: { ...described, ...permissions }, url, route, ...rest });
    },
    transformObject: (document) =>
      declareDefaults(declareHeaders(nameSchemas(jsonSchemaTransformObject(document)))),
  });
}

/** States the permission of an API key for a route of a project. */
function toPermissions(
  { security = [] }: { security?: readonly object[] },
  { permission = 'read', forProject }: FastifyContextConfig = {},
): Record<string, unknown> {
  if (!security.some((scheme) => 'apiKey' in scheme)) return {};
  return { 'x-permission': permission, ...(forProject === true ? { 'x-for-project': true } : {}) };
}

/** Paths that both ports serve when ADMIN_PORT is set. `test/http/rendered-documents.test.ts` checks them. */
const SHARED_PATHS = new Set(['/', '/healthz', '/readyz']);

type PathItem = Record<string, { tags?: string[] }>;

/** Takes the document of all routes. */
export function selectRoutes(document: object, { part, compat }: DescribedRoutes): object {
  if (part === 'all' && compat) return document;
  const { paths = {} } = document as { paths?: Record<string, PathItem> };
  const isOfPart = (path: string) =>
    part === 'all' || SHARED_PATHS.has(path) || path.startsWith('/management/') === (part === 'operators');
  const isCompat = (item: PathItem) => Object.values(item).some(({ tags }) => tags?.includes('compat'));
  const selected = Object.entries(paths).filter(
    ([path, item]) => isOfPart(path) && (compat || !isCompat(item)),
  );
  return nameSchemas({ ...document, paths: Object.fromEntries(selected) });
}

const SCHEMAS = '#/components/schemas/';

/**
 * Each schema exists as `X` (in responses) and `XInput` (in requests). Removes unused schemas, and renames `XInput` to
 * `X` when `X` is unused.
 */
function nameSchemas<Document extends object>(document: Document): Document {
  const { components } = document as { components?: { schemas?: Record<string, unknown> } };
  const schemas = components?.schemas ?? {};
  const reached = new Set<string>();
  const reach = (part: unknown) => {
    for (const name of referencesOf(part)) {
      if (reached.has(name)) continue;
      reached.add(name);
      reach(schemas[name]);
    }
  };
  reach({ ...document, components: {} });

  const nameOf = (name: string) => {
    const plain = name.replace(/Input$/, '');
    return reached.has(plain) ? name : plain;
  };
  const text = JSON.stringify({
    ...document,
    components: {
      ...components,
      schemas: Object.fromEntries([...reached].sort().map((name) => [nameOf(name), schemas[name]])),
    },
  });
  const renamed = text.replace(REFERENCE, (_, name: string) => `"$ref":"${SCHEMAS}${nameOf(name)}"`);
  return JSON.parse(renamed, declareBytes);
}

const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

function referencesOf(part: unknown): string[] {
  return [...JSON.stringify(part ?? null).matchAll(REFERENCE)].map(([, name = '']) => name);
}

/** Declares a response of bytes with any media type, because the generator declares `application/json`. */
function declareBytes(key: string, value: unknown): unknown {
  if (key !== 'content' || !JSON.stringify(value).includes('"contentMediaType":"application/octet-stream"'))
    return value;
  const { 'application/json': json } = value as { 'application/json'?: object };
  return json === undefined ? value : { '*/*': json };
}
