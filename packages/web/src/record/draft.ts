import type { ActivityRequest } from '@colophon/model';
import { record } from '../strings/record.js';

/** The action types of this page. */
export const TYPES = ['create', 'generate', 'transform', 'aggregate', 'reference'] as const;
export const ROLES = ['human', 'ai', 'organization'] as const;

/** An input of the file. */
export interface Input {
  cid: string;
  name: string;
}

/** The current values of the form. */
export interface Draft {
  file: File | undefined;
  /** The id of a recorded person; empty for a new person. */
  entityId: string;
  name: string;
  role: (typeof ROLES)[number];
  type: (typeof TYPES)[number];
  provider: string;
  model: string;
  inputs: readonly Input[];
}

export const EMPTY: Draft = {
  file: undefined,
  entityId: '',
  name: '',
  role: 'human',
  type: 'create',
  provider: '',
  model: '',
  inputs: [],
};

/** The missing values, in words. */
export function missingOf({ file, entityId, name, type, provider, model }: Draft): string[] {
  const needs: [boolean, string][] = [
    [file === undefined, record.preview.needsFile],
    [entityId === '' && name.trim() === '', record.preview.needsName],
    [type === 'generate' && (provider.trim() === '' || model.trim() === ''), record.preview.needsTool],
  ];
  return needs.flatMap(([isMissing, what]) => (isMissing ? [what] : []));
}

/** The request that accompanies the file. `roles`: the roles of the recorded entities. */
export function toActivity(draft: Draft, roles: ReadonlyMap<string, string>): ActivityRequest {
  const { entityId, name, type, provider, model, inputs } = draft;
  const role = roles.get(entityId) ?? draft.role;
  return {
    entity: entityId === '' ? { role, name: name.trim() } : { id: entityId, role },
    action: {
      type,
      inputCids: inputs.map(({ cid }) => cid),
      ...(type === 'generate' ? { aiTool: { provider: provider.trim(), model: model.trim() } } : {}),
    },
  };
}

/** Adds inputs, each content once. */
export function withInputs(inputs: readonly Input[], more: readonly Input[]): Input[] {
  return [...new Map([...inputs, ...more].map((input) => [input.cid, input])).values()];
}
