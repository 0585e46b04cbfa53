import type { Call, CallTerms } from './calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;

/** Calls of the operations that find content again; `unserved` are those that every operation refuses. */
export function searchCalls(
  { world, tooLarge }: CallTerms,
  unserved: (target: string, body?: Pick<Call, 'json' | 'form'>) => Call[],
): Record<string, Call[]> {
  const file = { target: '/v1/search/file' };
  const similar = `/v1/similar/${world.fileCid}`;
  const empty = { text: '--b--', headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  return {
    'POST /v1/search/file': [
      { status: 200, target: '/v1/search/file?limit=1', form: { file: world.large } },
      {
        status: 200,
        ...file,
        form: { file: 'A text of some length that nobody has recorded so far. '.repeat(3) },
      },
      { status: 400, ...file, ...empty },
      { status: 413, ...file, form: { file: tooLarge } },
      { status: 415, ...file, form: { file: Buffer.alloc(500, 3) } },
      { status: 415, ...file, json: {} },
      { status: 422, ...file, form: { file: 'too short' } },
      ...unserved('/v1/search/file', { form: { file: world.large } }),
    ],
    'GET /v1/similar/{cid}': [
      { status: 200, target: similar },
      { status: 200, target: `/v1/similar/${world.largeSha256}?limit=3` },
      { status: 400, target: '/v1/similar/nonsense' },
      { status: 400, target: `${similar}?limit=0` },
      { status: 404, target: `/v1/similar/${UNKNOWN_CID}` },
      ...unserved(similar),
    ],
  };
}
