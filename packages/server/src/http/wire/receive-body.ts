import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** Joins chunks as they arrive, because small chunks in a list take many times their size in memory. */
export interface Collector {
  /** Returns the number of bytes so far. */
  add(chunk: Uint8Array): number;
  body(): Buffer;
}

const FIRST_BYTES = 1024;

/** `sizeBytes`: the announced size of the body. */
export function createCollector(sizeBytes: number | undefined): Collector {
  let body: Buffer = Buffer.alloc(0);
  let filled = 0;
  const makeRoom = (bytes: number) => {
    if (bytes <= body.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, sizeBytes ?? 2 * body.length, FIRST_BYTES));
    larger.set(body.subarray(0, filled));
    body = larger;
  };
  return {
    add(chunk) {
      if (filled === 0 && chunk.length === sizeBytes)
        body = Buffer.from(chunk.buffer, chunk.byteOffset, sizeBytes);
      else {
        makeRoom(filled + chunk.length);
        body.set(chunk, filled);
      }
      filled += chunk.length;
      return filled;
    },
    body: () => body.subarray(0, filled),
  };
}

/** Each handler returns a result, or undefined to continue. */
interface BodyReading<Found> {
  take(chunk: Buffer): Found | undefined;
  end?(): Found;
}

/** Reads until a handler returns a result or throws. Rejects when the sender disconnects. */
export function readUntil<Found>(raw: Readable, { take, end }: BodyReading<Found>): Promise<Found> {
  return new Promise((resolve, reject) => {
    const stop = () => raw.off('data', onData).off('end', onEnd).off('error', fail).off('close', fail);
    const settle = (look: () => Found | undefined) => {
      try {
        const found = look();
        if (found === undefined) return;
        stop();
        resolve(found);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const onData = (chunk: Buffer) => settle(() => take(chunk));
    const onEnd = () => settle(() => end?.());
    const fail = (error?: Error) => {
      stop();
      reject(error ?? Object.assign(new Error('The sender left'), { code: 'ECONNRESET' }));
    };
    if (raw.destroyed) return fail();
    raw.on('data', onData).on('end', onEnd).on('error', fail).on('close', fail);
  });
}

/** Rejects with the error of `refuse` when the body exceeds `maxBytes`. */
export async function receiveBody(
  raw: Readable,
  { sizeBytes, maxBytes, refuse }: { sizeBytes?: number | undefined; maxBytes: number; refuse: () => Error },
): Promise<Buffer> {
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw refuse();
  const collector = createCollector(sizeBytes);
  return readUntil(raw, {
    take(chunk) {
      if (collector.add(chunk) > maxBytes) throw refuse();
      return undefined;
    },
    end: collector.body,
  });
}

const LARGE_BODY_BYTES = 64 * 1024;

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Whether the request has a body of more than 64 KiB, or of unknown length. */
export function hasLargeBody(headers: IncomingHttpHeaders): boolean {
  return hasBody(headers) && announcedBytes(headers) > LARGE_BODY_BYTES;
}

/** Returns the `Content-Length` in bytes; infinite when the request has none. */
export function announcedBytes({ 'content-length': length }: IncomingHttpHeaders): number {
  return Number(length ?? Number.POSITIVE_INFINITY);
}
