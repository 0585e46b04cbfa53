/** The value that a registry writes: a root over heads, or, without a size, the digest of one record. */
export interface RegistryCall {
  rootHex: string;
  size: number | null;
}

/** Fees of a transaction for each unit of gas, in wei (EIP-1559). */
export interface Fees {
  maxFeeWei: bigint;
  priorityFeeWei: bigint;
}

/** A transaction that can be sent, any number of times. */
export interface SignedTransaction extends Fees {
  hash: string;
  raw: string;
  nonce: number;
}

/** Where a transaction is in the chain. */
export interface MinedTransaction {
  txHash: string;
  blockNumber: number;
  blockHash: string;
  /** Of the registry's event. */
  logIndex: number;
}

/** A chain with a registry on it and an account that pays. Every method rejects with ChainTrouble and nothing else. */
export interface Chain {
  /** Address of the account. */
  readonly account: string;
  readChainId(): Promise<number>;
  /** Whether there is code at the registry's address. */
  hasContract(): Promise<boolean>;
  readBalanceWei(): Promise<bigint>;
  /** Number of the newest block. */
  readHeight(): Promise<number>;
  /** How many transactions of the account are in blocks; `pending`: and how many wait. */
  readNonce(counted: 'latest' | 'pending'): Promise<number>;
  readFees(): Promise<Fees>;
  estimateGas(call: RegistryCall): Promise<bigint>;
  sign(call: RegistryCall, options: Fees & { nonce: number; gas: bigint }): Promise<SignedTransaction>;
  /** Idempotent: `known` when the node has it, or has had it, already; `feeTooLow` when it will not take it. */
  send(raw: string): Promise<'sent' | 'known' | 'feeTooLow'>;
  /** Undefined while the transaction is in no block. */
  readMined(txHash: string, call: RegistryCall): Promise<MinedTransaction | undefined>;
  /** Hash of the chain's block of this number; undefined when there is none. */
  readBlockHash(blockNumber: number): Promise<string | undefined>;
}

/** Why nothing can be anchored now. */
export type TroubleCode = 'unreachable' | 'wrongChain' | 'noContract' | 'insufficientFunds' | 'refused';

/** Nothing can be anchored now; what was recorded waits. The message holds no address with a key in it. */
export class ChainTrouble extends Error {
  readonly code: TroubleCode;

  constructor(code: TroubleCode, message: string) {
    super(message);
    this.name = 'ChainTrouble';
    this.code = code;
  }
}
