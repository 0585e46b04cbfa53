/** A value in the registry: a root over heads, or, without a size, the digest of one record. */
export interface RegistryCall {
  rootHex: string;
  size: number | null;
}

/** Fees of a transaction per unit of gas, in wei (EIP-1559). */
export interface Fees {
  maxFeeWei: bigint;
  priorityFeeWei: bigint;
}

/** A signed transaction. It can be sent any number of times. */
export interface SignedTransaction extends Fees {
  hash: string;
  raw: string;
  nonce: number;
}

export interface MinedTransaction {
  txHash: string;
  blockNumber: number;
  blockHash: string;
  /** Index of the registry's event in the block. */
  logIndex: number;
}

/** A chain with a registry and an account that pays. Every method rejects only with ChainTrouble. */
export interface Chain {
  readonly account: string;
  readChainId(): Promise<number>;
  /** Whether there is code at the registry's address. */
  hasContract(): Promise<boolean>;
  readBalanceWei(): Promise<bigint>;
  /** Number of the newest block. */
  readHeight(): Promise<number>;
  /** Counts the transactions of the account in blocks; with `pending` also the waiting ones. */
  readNonce(counted: 'latest' | 'pending'): Promise<number>;
  readFees(): Promise<Fees>;
  estimateGas(call: RegistryCall): Promise<bigint>;
  sign(call: RegistryCall, options: Fees & { nonce: number; gas: bigint }): Promise<SignedTransaction>;
  /** Idempotent. `known`: the node has or had the transaction already. `feeTooLow`: the node rejects its fee. */
  send(raw: string): Promise<'sent' | 'known' | 'feeTooLow'>;
  /** Undefined until the transaction is in a block. */
  readMined(txHash: string, call: RegistryCall): Promise<MinedTransaction | undefined>;
  /** Returns the hash of the block with this number; undefined when there is none. */
  readBlockHash(blockNumber: number): Promise<string | undefined>;
}

/** Reasons why anchoring is impossible at the moment. */
export type TroubleCode = 'unreachable' | 'wrongChain' | 'noContract' | 'insufficientFunds' | 'refused';

/** Anchoring is impossible at the moment, so records wait. The message contains no key of an address. */
export class ChainTrouble extends Error {
  readonly code: TroubleCode;

  constructor(code: TroubleCode, message: string) {
    super(message);
    this.name = 'ChainTrouble';
    this.code = code;
  }
}
