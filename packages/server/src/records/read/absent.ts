import { ServiceError } from '../../errors.js';

const INSTEAD = {
  entity: 'GET /v1/entities lists the entities of this project; POST /v1/entity creates one.',
  action: 'GET /v1/actions lists the actions of this project; POST /v1/action records one.',
  attribution:
    'GET /v1/attributions lists the attributions of this project; POST /v1/attribution creates one.',
  content: 'POST /v1/activity records a file; POST /v1/search/file finds recorded content by a file.',
} as const;

/** Returns the same 404 for a record that does not exist and for a record of another project. */
export function absent(
  kind: keyof typeof INSTEAD,
  id: string,
  message = `There is no ${kind} ${id} in this project.`,
): ServiceError {
  const member = { entity: 'entityId', action: 'actionId', attribution: 'attributionId', content: 'cid' }[
    kind
  ];
  return new ServiceError('NotFound', message, { recovery: INSTEAD[kind], details: { [member]: id } });
}
