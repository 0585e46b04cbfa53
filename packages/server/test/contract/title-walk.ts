import type { Step } from './walk.js';

export function titleSteps(theirs: string[]): Step[] {
  return [
    {
      operation: 'PATCH /v1/resource/{cid}',
      input: 'path.cid',
      theirs,
      ask: (id) => ({ target: `/v1/resource/${encodeURIComponent(id)}`, json: { title: 'Taken' } }),
    },
    {
      operation: 'POST /v1/titles',
      input: 'body.cids',
      theirs,
      ask: (id) => ({ target: '/v1/titles', json: { cids: [id] } }),
    },
  ];
}
