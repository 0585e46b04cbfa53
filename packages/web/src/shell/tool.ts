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

/** Returns the AI tool of an action. Without one, returns the software in its Content Credentials. */
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

/**
 * Returns the name of the tool of an action. For an action without a tool, reads `ext:mark`: if this extension states
 * that AI made or edited the content, returns the name in its `generator`, the tool that made the content.
 */
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
