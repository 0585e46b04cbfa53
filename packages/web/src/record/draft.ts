import type { ActivityRequest } from '@colophon/model';
import { record } from '../strings/record.js';

export const TYPES = ['create', 'generate', 'transform', 'aggregate', 'reference'] as const;
export const ROLES = ['human', 'ai', 'organization'] as const;

export interface Input {
  cid: string;
  name: string;
}

export interface Draft {
  file: File | undefined;
  /** Id of a recorded person; empty for a new person. */
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

/** Returns the names of the missing values. */
export function missingOf({ file, entityId, name, type, provider, model }: Draft): string[] {
  const needs: [boolean, string][] = [
    [file === undefined, record.preview.needsFile],
    [entityId === '' && name.trim() === '', record.preview.needsName],
    [type === 'generate' && (provider.trim() === '' || model.trim() === ''), record.preview.needsTool],
  ];
  return needs.flatMap(([isMissing, what]) => (isMissing ? [what] : []));
}

/** Creates the request that is sent with the file. `roles` has the roles of the recorded entities by their ids. */
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

/** Adds inputs without duplicate contents. */
export function withInputs(inputs: readonly Input[], more: readonly Input[]): Input[] {
  return [...new Map([...inputs, ...more].map((input) => [input.cid, input])).values()];
}
