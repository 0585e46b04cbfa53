import {
  type Action,
  AI_EXTENSION,
  C2PA_ACTION_EXTENSION,
  MARK_EXTENSION,
  readDisclosure,
} from '@colophon/model';

export interface Tool {
  id: string;
  name: string;
  provider?: string;
}

/** Without an AI tool, returns the software in the Content Credentials. */
export function toolOf({ aiTool, extensions }: Action): Tool | undefined {
  const ai = extensions[AI_EXTENSION];
  const agent = memberOf(extensions[C2PA_ACTION_EXTENSION], 'softwareAgent');
  return (
    namedTool(aiTool?.model, aiTool?.provider) ??
    namedTool(memberOf(ai, 'model'), memberOf(ai, 'provider')) ??
    namedTool(memberOf(memberOf(ai, 'tool'), 'model'), memberOf(memberOf(ai, 'tool'), 'provider')) ??
    namedTool(memberOf(agent, 'name'), memberOf(agent, 'provider'))
  );
}

/** Without a tool, returns the `generator` of an `ext:mark` that states the use of AI. */
export function nameTool(action: Action): string | undefined {
  const mark = action.extensions[MARK_EXTENSION];
  const isMark = typeof readDisclosure(mark) === 'string';
  const generator = isMark ? memberOf(mark, 'generator') : undefined;
  return (toolOf(action) ?? namedTool(memberOf(generator, 'name'), undefined))?.name;
}

function namedTool(name: unknown, provider: unknown): Tool | undefined {
  if (typeof name !== 'string' || name === '') return undefined;
  if (typeof provider !== 'string' || provider === '') return { id: `tool:${name}`, name };
  return { id: `tool:${provider}/${name}`, name, provider };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
