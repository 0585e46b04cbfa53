/** An action of the history, as in the request that records it. */
export interface GrownAction {
  type: string;
  performedBy: string;
  inputCids: string[];
  outputCids: string[];
  timestamp: string;
  aiTool?: { provider: string; model: string };
}

/** A history as requests. `cid` is its last content. */
export interface GrownHistory {
  cid: string;
  entities: { id: string; role: string; name: string }[];
  actions: GrownAction[];
}
export function grownHistory(actionCount: number): GrownHistory;
/** Records the history. Resolves to the CID of its last content. */
export function recordGrown(where: { base: string; key: string }, actionCount: number): Promise<string>;
