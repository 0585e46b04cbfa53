import { PNG } from '../support/media.js';
import type { Call, CallTerms } from './calls.js';
import type { Usual } from './compat-calls.js';

const NO_MEDIA = new Uint8Array([0, 1, 2, 3, 4, 5]);
const PREFERS_RECEIPT = { prefer: 'return=representation' };

export function mediaCalls(
  { world, tooLarge }: CallTerms,
  commonErrors: Usual['commonErrors'],
): Record<string, Call[]> {
  const { entityId, signed, fileCid } = world;
  const noFile = {
    status: 400,
    text: '--b--',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  };
  const reads = (target: string): Call[] => [
    { status: 200, target, form: { file: PNG } },
    { status: 200, target, form: { file: signed } },
    { ...noFile, target },
    { status: 413, target, form: { file: tooLarge } },
    { status: 415, target, json: {} },
    { status: 415, target, form: { file: 'no media\u0000' } },
    ...commonErrors(target, { form: { file: PNG } }),
  ];
  const said = { entityId, generator: { name: 'Studio', version: '2' }, aiDisclosure: null };
  const full = {
    ...said,
    aiDisclosure: 'ai_assisted',
    title: 'Whole',
    actions: [{ action: 'c2pa.cropped', when: '2026-08-02T09:30:00Z', softwareAgent: 'Crop' }],
    ingredients: [{ cid: fileCid, title: 'Before', relationship: 'inputTo' }],
    metadata: { a: [1] },
    trainingMining: { aiTraining: { use: 'notAllowed' } },
    actionId: '0198c0de-0000-7000-8000-0000000000e1',
    aiTool: { provider: 'Acme', model: 'painter' },
    sessionId: world.sessionId,
    extensions: { 'ext:note@1.0.0': { text: 'ü' } },
  };
  const embed = '/v1/media/embed';
  const mark = '/v1/mark';
  const marked = (status: number, json: object, more: Partial<Call> = {}): Call => ({
    status,
    target: mark,
    form: { file: PNG, json },
    ...more,
  });
  const markedAs = { ...full, actionId: '0198c0de-0000-7000-8000-0000000000e2' };
  const embedded = (status: number, json: object, more: Partial<Call> = {}): Call => ({
    status,
    target: embed,
    form: { file: PNG, json },
    ...more,
  });
  return {
    'GET /v1/media/formats': [
      { status: 200, target: '/v1/media/formats' },
      ...commonErrors('/v1/media/formats'),
    ],
    'POST /v1/media/extract': reads('/v1/media/extract'),
    'POST /v1/media/verify': reads('/v1/media/verify'),
    'POST /v1/media/import': [
      { status: 201, target: '/v1/media/import', form: { file: signed }, headers: PREFERS_RECEIPT },
      ...reads('/v1/media/import').filter(({ status }) => status !== 200),
      { status: 422, target: '/v1/media/import', form: { file: PNG } },
      { status: 403, target: '/v1/media/import', form: { file: signed }, as: 'reader' },
    ],
    'POST /v1/mark': [
      marked(201, markedAs),
      marked(200, markedAs, { headers: PREFERS_RECEIPT }),
      marked(201, said, { form: { file: NO_MEDIA, json: said } }),
      marked(409, { ...markedAs, title: 'Other' }),
      marked(404, { ...said, entityId: 'none' }),
      marked(422, { ...said, nosuch: 1 }),
      { ...noFile, target: mark },
      { status: 413, target: mark, form: { file: tooLarge, json: said } },
      { status: 415, target: mark, json: {} },
      ...commonErrors(mark, { form: { file: PNG, json: said } }),
      marked(403, said, { as: 'reader' }),
    ],
    'POST /v1/media/embed': [
      embedded(201, full),
      embedded(200, full, { headers: PREFERS_RECEIPT }),
      embedded(409, { ...full, title: 'Other' }),
      embedded(404, { ...said, entityId: 'none' }),
      embedded(422, { ...said, nosuch: 1 }),
      { ...noFile, target: embed },
      { status: 413, target: embed, form: { file: tooLarge, json: said } },
      { status: 415, target: embed, json: {} },
      { status: 415, target: embed, form: { file: 'no media\u0000', json: said } },
      ...commonErrors(embed, { form: { file: PNG, json: said } }),
      embedded(403, said, { as: 'reader' }),
    ],
  };
}
