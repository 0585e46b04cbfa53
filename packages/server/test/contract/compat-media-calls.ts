import { PNG } from '../support/media.js';
import type { Call, CallTerms } from './calls.js';
import type { Usual } from './compat-calls.js';

const UNKNOWN_CID = `sha256:${'0'.repeat(64)}`;
const NEW_TEXT = 'A text of some length that nobody has recorded so far. '.repeat(3);

export function compatMediaCalls(
  { world, tooLarge }: CallTerms,
  { faultyBodies, commonErrors }: Usual,
): Record<string, Call[]> {
  const { signed, fileCid, largeSha256 } = world;
  const empty = {
    status: 400,
    text: '--b--',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
  const reads = (target: string): Call[] => [
    { status: 200, target, form: { file: PNG } },
    { status: 200, target, form: { file: signed } },
    { ...empty, target },
    { status: 413, target, form: { file: tooLarge } },
    { status: 415, target, json: {} },
    ...commonErrors(target, { form: { file: PNG } }),
  ];
  const ofContent = (before: string): Call[] => [
    { status: 200, target: `${before}${fileCid}` },
    { status: 200, target: `${before}${largeSha256}` },
    { status: 400, target: `${before}nonsense` },
    { status: 404, target: `${before}${UNKNOWN_CID}` },
    ...commonErrors(`${before}${fileCid}`),
  ];
  const file = '/search/file';
  const readable = (target: string) => faultyBodies(target).filter(({ as }) => as !== 'reader');
  return {
    'POST /search/file': [
      { status: 200, target: `${file}?topK=5&min=0.5&type=text`, form: { file: world.large } },
      { status: 200, target: file, form: { file: NEW_TEXT } },
      { status: 400, target: `${file}?min=2`, form: { file: NEW_TEXT } },
      { ...empty, target: file },
      { status: 413, target: file, form: { file: tooLarge } },
      { status: 415, target: file, json: {} },
      { status: 422, target: file, form: { file: 'too short' } },
      ...commonErrors(file, { form: { file: world.large } }),
    ],
    'POST /search/text': [
      { status: 200, target: '/search/text', json: { query: 'a b c', topK: 3, minScore: 0.5, type: 'text' } },
      ...readable('/search/text'),
    ],
    'POST /search/text/vector': [
      { status: 503, target: '/search/text/vector', json: { text: 'a b c' } },
      ...readable('/search/text/vector'),
    ],
    'GET /embeddings/encrypted': [
      { status: 200, target: '/embeddings/encrypted?limit=10000&kind=text' },
      ...commonErrors('/embeddings/encrypted'),
    ],
    'GET /similar/{cid}': [...ofContent('/similar/'), { status: 400, target: `/similar/${fileCid}?topK=0` }],
    'GET /media/formats': [{ status: 200, target: '/media/formats' }, ...commonErrors('/media/formats')],
    'POST /media/read': reads('/media/read'),
    'POST /media/verify': reads('/media/verify'),
    'POST /media/import': [
      { status: 201, target: '/media/import', form: { file: signed } },
      ...reads('/media/import').filter(({ status }) => status !== 200),
      { status: 422, target: '/media/import', form: { file: PNG } },
      { status: 403, target: '/media/import', form: { file: signed }, as: 'reader' },
    ],
    'GET /media/ai-check/{cid}': ofContent('/media/ai-check/'),
  };
}
