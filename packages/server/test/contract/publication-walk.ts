import type { Own, Step } from './walk.js';
import type { World } from './world.js';

/** `cids`: all identifiers of the other project's content. */
export function publicationSteps(
  { entityId, derivedEntityId, publicationId }: World,
  own: Own,
  cids: string[],
): Step[] {
  const all = '/v1/publications';
  const query = (name: string, theirs: string[]): Step => ({
    operation: `GET ${all}`,
    input: `query.${name}`,
    theirs,
    ask: (id) => ({ target: `${all}?${name}=${encodeURIComponent(id)}` }),
  });
  const publish = (member: string, theirs: string[], toValue = (id: string): unknown => id): Step => ({
    operation: `POST ${all}`,
    input: `body.${member}`,
    theirs,
    ask: (id) => ({ target: all, json: { cid: own.cid, [member]: toValue(id) } }),
  });
  return [
    query('cid', cids),
    query('cursor', [publicationId]),
    {
      operation: `DELETE ${all}/{id}`,
      input: 'path.id',
      theirs: [publicationId],
      ask: (id) => ({ target: `${all}/${id}` }),
    },
    {
      operation: `POST ${all}/{id}/restore`,
      input: 'path.id',
      theirs: [publicationId],
      ask: (id) => ({ target: `${all}/${id}/restore` }),
    },
    publish('cid', cids),
    publish('hiddenEntities', [entityId, derivedEntityId], (id) => [id]),
  ];
}
