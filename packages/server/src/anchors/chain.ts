/** `rootHex`: the root over the heads of `size` logs. If `size` is null, it is the digest of an action. */
export interface RegistryCall {
  rootHex: string;
  size: number | null;
}

/** Fees per unit of gas, in wei (EIP-1559). */
export interface Fees {
  maxFeeWei: bigint;
  priorityFeeWei: bigint;
}

/** A transaction that can be sent several times. */
export interface SignedTransaction extends Fees {
  hash: string;
  raw: string;
  nonce: number;
}

export interface MinedTransaction {
  txHash: string;
  blockNumber: number;
  blockHash: string;
  /** Index of the registry's event among all events of the block. */
  logIndex: number;
}

/** A chain with a registry, and the account that pays the transactions. Methods reject only with ChainTrouble. */
export interface Chain {
  readonly account: string;
  readChainId(): Promise<number>;
  hasContract(): Promise<boolean>;
  readBalanceWei(): Promise<bigint>;
  /** Returns the number of the newest block. */
  readHeight(): Promise<number>;
  /** With `pending`, it also counts the transactions that wait for a block. */
  readNonce(counted: 'latest' | 'pending'): Promise<number>;
  readFees(): Promise<Fees>;
  estimateGas(call: RegistryCall): Promise<bigint>;
  sign(call: RegistryCall, options: Fees & { nonce: number; gas: bigint }): Promise<SignedTransaction>;
  /** Idempotent. `known`: the node has the transaction, or a block contains a transaction with this nonce. */
  send(raw: string): Promise<'sent' | 'known' | 'feeTooLow'>;
  /** Returns undefined until a block contains the transaction. Also returns undefined if the transaction failed. */
  readMined(txHash: string, call: RegistryCall): Promise<MinedTransaction | undefined>;
  /** Returns undefined when there is no block with this number. */
  readBlockHash(blockNumber: number): Promise<string | undefined>;
}

export type TroubleCode = 'unreachable' | 'wrongChain' | 'noContract' | 'insufficientFunds' | 'refused';

/** Anchoring is impossible now, so records wait. The message contains no secrets, such as keys in the URL. */
export class ChainTrouble extends Error {
  readonly code: TroubleCode;

  constructor(code: TroubleCode, message: string) {
    super(message);
    this.name = 'ChainTrouble';
    this.code = code;
  }
}
