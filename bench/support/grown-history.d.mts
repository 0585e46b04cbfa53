export interface GrownAction {
  type: string;
  performedBy: string;
  inputCids: string[];
  outputCids: string[];
  timestamp: string;
  aiTool?: { provider: string; model: string };
}

/** `cid` is the last content of the history. */
export interface GrownHistory {
  cid: string;
  entities: { id: string; role: string; name: string }[];
  actions: GrownAction[];
}
export function grownHistory(actionCount: number): GrownHistory;
/** Resolves to the CID of the last content. */
export function recordGrown(where: { base: string; key: string }, actionCount: number): Promise<string>;
