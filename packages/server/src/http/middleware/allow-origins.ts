import cors from '@fastify/cors';
import type { App } from '../app.js';
import { LIMIT_HEADERS } from './limit-requests.js';

export const EXPOSED_HEADERS = [
  ...LIMIT_HEADERS,
  'X-Request-Id',
  'ETag',
  'Repr-Digest',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
  'WWW-Authenticate',
  'Allow',
  'Link',
  'Preference-Applied',
  'Colophon-Cid',
  'Colophon-Action-Id',
].join(', ');

/** Allows pages of every origin, which send an API key and no cookies (Fetch standard, "CORS protocol"). */
export async function allowOrigins(app: App): Promise<void> {
  await app.register(cors, {
    origin: '*',
    strictPreflight: false,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    maxAge: 86_400,
  });
}
