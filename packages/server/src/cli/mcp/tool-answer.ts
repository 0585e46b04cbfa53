import { ApiError, NoAnswerError } from '@colophon/sdk';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { withoutControls } from '../print.js';

/** The result of a tool, as a sentence for people and as data. */
export interface ToolFinding {
  says: string;
  data: Record<string, unknown>;
}

/** An error has a remedy, so that an agent can correct its call. */
export async function answer(run: () => Promise<ToolFinding>): Promise<CallToolResult> {
  try {
    const { says, data } = await run();
    return { content: [{ type: 'text', text: withoutControls(says) }], structuredContent: data };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: withoutControls(explainFailure(error)) }] };
  }
}

function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof NoAnswerError)
    return `${error.message} Check that the service runs and that COLOPHON_URL is right.`;
  if (!(error instanceof ApiError)) return error.message;
  const { code, message, recovery, details, requestId } = error;
  const parts = [
    `${code}: ${message}`,
    recovery,
    details === undefined ? undefined : JSON.stringify(details),
  ];
  return `${parts.filter((part) => part !== undefined).join(' ')} (request ${requestId})`;
}

/** Puts text of other people into quotes and on one line, and cuts it after 200 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
