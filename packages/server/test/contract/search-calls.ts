import type { Call, CallTerms } from './calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;

export function searchCalls(
  { world, tooLarge }: CallTerms,
  commonErrors: (target: string, body?: Pick<Call, 'json' | 'form'>) => Call[],
): Record<string, Call[]> {
  const file = { target: '/v1/search/file' };
  const vectors = { target: '/v1/search/vector' };
  const vector = { target: `/v1/resource/${world.fileCid}/vector` };
  const similar = `/v1/similar/${world.fileCid}`;
  const empty = { text: '--b--', headers: { 'content-type': 'multipart/form-data; boundary=b' } };
  const binding = { alg: 'colophon.sha256', value: Buffer.alloc(32, 7).toString('base64') };
  const byBinding = '/v1/c2pa/matches/byBinding';
  const query = `${byBinding}?${new URLSearchParams(binding)}`;
  const manifest = `/v1/c2pa/manifests/${encodeURIComponent(world.manifestLabel)}`;
  const content = {
    target: '/v1/c2pa/matches/byContent?maxResults=2',
    headers: { 'content-type': 'text/plain' },
  };
  return {
    'GET /v1/c2pa/matches/byBinding': [
      { status: 200, target: `${query}&maxResults=3` },
      { status: 400, target: byBinding },
      ...commonErrors(query),
    ],
    'POST /v1/c2pa/matches/byBinding': [
      { status: 200, target: byBinding, json: binding },
      { status: 400, target: byBinding, json: { ...binding, value: 'AAAA' } },
      { status: 422, target: byBinding, json: { nosuch: 1 } },
      { status: 413, target: byBinding, json: 'x'.repeat(2 ** 20) },
      { status: 415, target: byBinding, text: 'a,b', headers: { 'content-type': 'text/csv' } },
      ...commonErrors(byBinding, { json: binding }),
    ],
    'POST /v1/c2pa/matches/byContent': [
      { status: 200, ...content, text: 'A text of some length that nobody has recorded so far. '.repeat(3) },
      { status: 400, ...content, target: '/v1/c2pa/matches/byContent?maxResults=0', text: 'x' },
      { status: 413, ...content, text: 'x'.repeat(tooLarge.length) },
      { status: 415, ...content, text: '\u0000'.repeat(500) },
      { status: 422, ...content, text: 'too short' },
      ...commonErrors('/v1/c2pa/matches/byContent', { json: {} }),
    ],
    'GET /v1/c2pa/manifests/{manifestId}': [
      { status: 200, target: manifest },
      { status: 200, target: `${manifest}?returnActiveManifest=true` },
      { status: 304, target: manifest, headers: { 'if-none-match': '*' } },
      { status: 400, target: `${manifest}?returnActiveManifest=perhaps` },
      { status: 404, target: '/v1/c2pa/manifests/urn:c2pa:none' },
      { status: 401, target: manifest, as: 'nobody' },
    ],
    'GET /v1/c2pa/services/supportedAlgorithms': [
      { status: 200, target: '/v1/c2pa/services/supportedAlgorithms' },
      ...commonErrors('/v1/c2pa/services/supportedAlgorithms'),
    ],
    'POST /v1/search/file': [
      { status: 200, target: '/v1/search/file?limit=1&include=bundle', form: { file: world.large } },
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
      ...commonErrors('/v1/search/file', { form: { file: world.large } }),
    ],
    'POST /v1/search/text': [
      { status: 200, target: '/v1/search/text', json: { text: 'a b c', limit: 3, minScore: 0.5 } },
      { status: 400, target: '/v1/search/text', text: '{' },
      { status: 422, target: '/v1/search/text', json: { nosuch: 1 } },
      { status: 413, target: '/v1/search/text', json: 'x'.repeat(2 ** 20) },
      { status: 415, target: '/v1/search/text', text: 'a,b', headers: { 'content-type': 'text/csv' } },
      ...commonErrors('/v1/search/text', { json: {} }),
    ],
    'POST /v1/search/vector': [
      { status: 200, ...vectors, json: { model: 'm', vector: [1, 2], limit: 3, minScore: 0.5 } },
      { status: 400, ...vectors, text: '{' },
      { status: 422, ...vectors, json: { model: 'm', vector: [] } },
      { status: 413, ...vectors, json: 'x'.repeat(2 ** 20) },
      { status: 415, ...vectors, text: 'a,b', headers: { 'content-type': 'text/csv' } },
      ...commonErrors(vectors.target, { json: {} }),
    ],
    'POST /v1/resource/{cid}/vector': [
      { status: 201, ...vector, json: { model: 'm', vector: [0.5, -2] } },
      { status: 400, target: '/v1/resource/nonsense/vector', json: { model: 'm', vector: [1, 2] } },
      { status: 403, ...vector, json: { model: 'm', vector: [1, 2] }, as: 'reader' },
      { status: 404, target: `/v1/resource/${UNKNOWN_CID}/vector`, json: { model: 'm', vector: [1, 2] } },
      { status: 422, ...vector, json: { model: 'm', vector: [0, 0] } },
      { status: 413, ...vector, json: 'x'.repeat(2 ** 20) },
      { status: 415, ...vector, text: 'a,b', headers: { 'content-type': 'text/csv' } },
      ...commonErrors(vector.target, { json: {} }),
    ],
    'GET /v1/search/iscc': [
      { status: 200, target: '/v1/search/iscc?code=ISCC:EEAQAAAAAAAAAAAA&limit=3' },
      { status: 400, target: '/v1/search/iscc?code=ISCC:8888' },
      { status: 400, target: '/v1/search/iscc' },
      ...commonErrors('/v1/search/iscc?code=ISCC:EEAQAAAAAAAAAAAA'),
    ],
    'GET /v1/resource/{cid}/iscc': [
      { status: 200, target: `/v1/resource/${world.fileCid}/iscc` },
      { status: 400, target: '/v1/resource/nonsense/iscc' },
      { status: 404, target: `/v1/resource/${UNKNOWN_CID}/iscc` },
      ...commonErrors(`/v1/resource/${world.fileCid}/iscc`),
    ],
    'GET /v1/similar/{cid}': [
      { status: 200, target: similar },
      { status: 200, target: `/v1/similar/${world.largeSha256}?limit=3` },
      { status: 400, target: '/v1/similar/nonsense' },
      { status: 400, target: `${similar}?limit=0` },
      { status: 404, target: `/v1/similar/${UNKNOWN_CID}` },
      ...commonErrors(similar),
    ],
  };
}
