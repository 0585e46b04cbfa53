import type { IncomingHttpHeaders } from 'node:http';

/** Returns the `Content-Length` of a request, in bytes; infinite when the request has none. */
export function announcedBytes({ 'content-length': length }: IncomingHttpHeaders): number {
  return Number(length ?? Number.POSITIVE_INFINITY);
}
