/** An action of such a history, as it is recorded. */
export interface GrownAction {
  type: string;
  performedBy: string;
  inputCids: string[];
  outputCids: string[];
  timestamp: string;
  aiTool?: { provider: string; model: string };
}

/** A history as requests, and the content that it ends in. */
export interface GrownHistory {
  cid: string;
  entities: { id: string; role: string; name: string }[];
  actions: GrownAction[];
}
export function grownHistory(actionCount: number): GrownHistory;
/** Resolves to the content that it ends in. */
export function recordGrown(where: { base: string; key: string }, actionCount: number): Promise<string>;
