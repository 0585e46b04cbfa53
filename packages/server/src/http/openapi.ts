import swagger from '@fastify/swagger';
import { createJsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { App } from './app.js';

const transform = createJsonSchemaTransform({ skipList: [] });

/** Describes the API in OpenAPI 3.1, from the schemas that parse its requests. */
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
        { name: 'service', description: 'Health and this document' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'A project API key, `pk_live_...`' },
        },
      },
    },
    transform({ schema, url, route, ...rest }) {
      const { multipartBody } = route.config ?? {};
      const described =
        multipartBody === undefined
          ? schema
          : { ...schema, consumes: ['multipart/form-data'], body: multipartBody };
      return transform({ schema: described, url, route, ...rest });
    },
    transformObject: jsonSchemaTransformObject,
  });
}
