import type { AskChain } from '@colophon/model';
import { ChainTrouble } from './chain.js';

const ANSWER_MS = 30_000;

/** Asks the node behind a JSON-RPC address. Rejects with ChainTrouble, which does not tell the address. */
export function createAskChain(rpcUrl: string): AskChain {
  const { host } = new URL(rpcUrl);
  return async (method, parameters) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters });
    const answer = await post(rpcUrl, body).catch(() => {
      throw new ChainTrouble('unreachable', `The RPC at ${host} does not answer.`);
    });
    if (answer.error !== undefined)
      throw new ChainTrouble('refused', `The RPC at ${host} refuses: ${String(answer.error.message)}`);
    return answer.result;
  };
}

async function post(
  rpcUrl: string,
  body: string,
): Promise<{ result?: unknown; error?: { message?: unknown } }> {
  const answer = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return (await answer.json()) as { result?: unknown; error?: { message?: unknown } };
}
