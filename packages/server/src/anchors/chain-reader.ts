import type { AskChain } from '@colophon/model';
import type { EIP1193RequestFn } from 'viem';
import { asked, connect } from './open-chain.js';

/** Rejects with ChainTrouble, whose message hides keys in the URL. */
export function createChainReader(rpcUrl: string): AskChain {
  const request: EIP1193RequestFn = connect(rpcUrl).request;
  return (method, params) =>
    asked(rpcUrl, new AbortController().signal, () => request({ method, params: [...params] }));
}
