import type { Step } from './walk.js';

/** Steps that name content in the operations of titles. */
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
