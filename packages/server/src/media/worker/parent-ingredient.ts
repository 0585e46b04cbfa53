import { ServiceError } from '../../errors.js';

const ACTIONS = /^c2pa\.actions(\.v2)?$/;
const PARENT_ID = 'parent';

interface Assertion {
  label: string;
  data: { actions?: { action: string }[] };
}

/** The file becomes the parent ingredient, and the first action opens it (C2PA 2.2 §18.15.4). */
export function withParent(definition: Record<string, unknown>): {
  definition: Record<string, unknown>;
  ingredient: Record<string, unknown>;
} {
  const assertions = (definition.assertions ?? []) as Assertion[];
  const index = assertions.findIndex(({ label }) => ACTIONS.test(label));
  const given = assertions[index] ?? { label: 'c2pa.actions.v2', data: {} };
  const actions = given.data.actions ?? [];
  if (actions.some(({ action }) => action === 'c2pa.created'))
    throw new ServiceError(
      'ValidationError',
      'The file has a manifest already: its content cannot be "c2pa.created" now.',
      {
        details: [{ path: 'actions', message: 'c2pa.created contradicts the manifest of the file' }],
        recovery: 'Leave the action out, or use c2pa.edited.',
      },
    );
  const opened = { action: 'c2pa.opened', parameters: { ingredientIds: [PARENT_ID] } };
  const isOpened = actions.some(({ action }) => action === 'c2pa.opened');
  const all = { ...given, data: { ...given.data, actions: isOpened ? actions : [opened, ...actions] } };
  const rest = assertions.filter((_, position) => position !== index);
  return {
    definition: { ...definition, assertions: [all, ...rest] },
    ingredient: { relationship: 'parentOf', label: PARENT_ID, ...toTitle(definition.title) },
  };
}

function toTitle(title: unknown): { title?: string } {
  return typeof title === 'string' ? { title } : {};
}
