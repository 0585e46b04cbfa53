import type { Own, Step } from './walk.js';
import type { World } from './world.js';

/** `cids` has all identifiers of the other project's content. */
export function ownershipSteps({ entityId, derivedEntityId }: World, own: Own, cids: string[]): Step[] {
  const entities = [entityId, derivedEntityId];
  const claim = { evidenceType: 'signed-content' };
  const transfer = { transferType: 'voluntary', toEntityId: own.entityId };
  const byOwn = { id: own.entityId };
  const step = (
    operation: string,
    input: string,
    theirs: string[],
    ask: (id: string) => [cid: string, json?: object],
  ): Step => ({
    operation,
    input,
    theirs,
    ask: (id) => {
      const [cid, json] = ask(id);
      const [, path = ''] = operation.split(' ');
      return {
        target: path.replace('{cid}', encodeURIComponent(cid)),
        ...(json === undefined ? {} : { json }),
      };
    },
  });
  const written = (prefix: string) => `POST ${prefix}/resource/{cid}/ownership`;
  return ['/v1', ''].flatMap((prefix) => {
    const claimant = (id: string) => (prefix === '' ? { entity: { id } } : { entityId: id });
    const performer = (id: string) => ({ performedBy: prefix === '' ? { id } : id });
    const ofWho = (name: string) =>
      prefix === '' ? `body.${name}.id` : `body.${name === 'entity' ? 'entityId' : name}`;
    return [
      step(`GET ${prefix}/resource/{cid}/ownership`, 'path.cid', cids, (cid) => [cid]),
      // Must run first, because the ProvenanceKit route creates a missing claimant or performer.
      step(`${written(prefix)}/transfer`, 'body.toEntityId', entities, (id) => [
        own.cid,
        { ...performer(byOwn.id), ...transfer, toEntityId: id },
      ]),
      step(`${written(prefix)}/claim`, 'path.cid', cids, (cid) => [
        cid,
        { ...claimant(own.entityId), ...claim },
      ]),
      step(`${written(prefix)}/claim`, ofWho('entity'), entities, (id) => [
        own.cid,
        { ...claimant(id), ...claim },
      ]),
      step(`${written(prefix)}/transfer`, 'path.cid', cids, (cid) => [
        cid,
        { ...performer(byOwn.id), ...transfer },
      ]),
      step(`${written(prefix)}/transfer`, ofWho('performedBy'), entities, (id) => [
        own.cid,
        { ...performer(id), ...transfer },
      ]),
    ];
  });
}
