import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../../management/sessions/session.js';
import { cookieName, readCookie, setCookie } from './cookies.js';

const NAME = 'colophon_session';

/** Whether the browser uses TLS, to this service or to the proxy in front of it. */
export function isHttps({ protocol }: FastifyRequest, publicUrl: string | undefined): boolean {
  return protocol === 'https' || publicUrl?.startsWith('https:') === true;
}

export function readSessionToken(request: FastifyRequest, publicUrl: string | undefined): string | undefined {
  return readCookie(request, cookieName(NAME, isHttps(request, publicUrl)));
}

export function giveSession(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { token, expiresAt }: Session,
  publicUrl: string | undefined,
): void {
  const maxAgeSeconds = Math.floor((expiresAt.getTime() - Date.now()) / 1000);
  const cookie = { name: NAME, value: token, sameSite: 'Strict', maxAgeSeconds } as const;
  setCookie(reply, cookie, isHttps(request, publicUrl));
}

export function takeSession(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  publicUrl: string | undefined,
): void {
  const cookie = { name: NAME, value: '', sameSite: 'Strict', maxAgeSeconds: 0 } as const;
  setCookie(reply, cookie, isHttps(request, publicUrl));
}
