import type { Resource } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** What of a content is asked for. */
export interface ContentOptions extends CallOptions {
  /** First and last byte, counted from 0; without `end`, up to the last. */
  range?: { start: number; end?: number };
  /** `car`: the blocks of the file as a CARv1, for IPFS. */
  format?: 'car';
}

/** Content: what is known of it, and its bytes. */
export interface Resources {
  /**
   * What is known of a content. Throws `ApiError` `NotFound`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('a resource'), { entity: { id: 'studio:ann', role: 'human' } });
   * (await colophon.resources.get(cid)).state; // => 'claimed'
   */
  get(cid: string, options?: CallOptions): Promise<Resource>;
  /**
   * The bytes of a content, to be read from the answer's body: `await answer.blob()`, or `answer.body` as a stream.
   * `timeoutMs` ends where the body begins; the signal ends that too.
   *
   * Throws `ApiError`: `NotFound` for unknown content or bytes that were never sent, `RangeNotSatisfiable`.
   *
   * @example
   * const { cid } = await colophon.file(new TextEncoder().encode('some bytes'), { entity: { id: 'studio:ann', role: 'human' } });
   * await (await colophon.resources.content(cid, { range: { start: 5 } })).text(); // => 'bytes'
   */
  content(cid: string, options?: ContentOptions): Promise<Response>;
}

export function createResources({ ask, open }: Transport): Resources {
  return {
    get: (cid, options) => ask({ method: 'GET', path: path`/v1/resource/${cid}` }, options),
    content: (cid, { range, format, ...options } = {}) =>
      open(
        {
          method: 'GET',
          path: path`/v1/resource/${cid}/content`,
          query: { format },
          headers: {
            accept: '*/*',
            ...(range === undefined ? {} : { range: `bytes=${range.start}-${range.end ?? ''}` }),
          },
        },
        options,
      ),
  };
}
