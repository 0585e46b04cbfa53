import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that scripts cannot read. */
export interface Cookie {
  name: string;
  value: string;
  /** `Lax`: the browser sends the cookie when a link on another site leads to this service. `Strict`: it does not. */
  sameSite: 'Strict' | 'Lax';
  maxAgeSeconds: number;
}

/** With TLS, the prefix `__Host-` binds the cookie to this exact host (RFC 6265bis §4.1.3.2). */
export function cookieName(name: string, isHttps: boolean): string {
  return isHttps ? `__Host-${name}` : name;
}

export function readCookie({ headers }: FastifyRequest, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Sets a cookie; a lifetime of 0 seconds deletes it. */
export function setCookie(reply: FastifyReply, cookie: Cookie, isHttps: boolean): void {
  const { name, value, sameSite, maxAgeSeconds } = cookie;
  const text = [
    `${cookieName(name, isHttps)}=${value}`,
    'Path=/',
    'HttpOnly',
    `SameSite=${sameSite}`,
    `Max-Age=${maxAgeSeconds}`,
    ...(isHttps ? ['Secure'] : []),
  ].join('; ');
  const before = reply.getHeader('set-cookie');
  reply.header('set-cookie', before === undefined ? text : [before, text].flat().map(String));
}
