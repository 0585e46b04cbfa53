import {
  BaseError,
  createPublicClient,
  decodeEventLog,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { REGISTRY_ABI } from './anchor-registry.js';
import { type Chain, ChainTrouble, type MinedTransaction, type RegistryCall } from './chain.js';

export interface ChainAccess {
  rpcUrl: string;
  chainId: number;
  contractAddress: string;
  /** `0x` and 64 hex digits. */
  privateKey: string;
}

const ANSWER_MS = 10_000;
/** The longest response is a block with the hashes of its transactions. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** After `closing` aborts, every call rejects. */
export function openChain(access: ChainAccess, closing: AbortSignal): Chain {
  const account = privateKeyToAccount(access.privateKey as Hex);
  // An address in mixed case contains a checksum (EIP-55), which is not checked here.
  const address = access.contractAddress.toLowerCase() as Hex;
  const client = connect(access.rpcUrl);
  const ask = <Answer>(question: (client: PublicClient) => Promise<Answer>) =>
    asked(access.rpcUrl, closing, () => question(client));
  return {
    account: account.address,
    readChainId: () => ask((node) => node.getChainId()),
    hasContract: async () => ((await ask((node) => node.getCode({ address }))) ?? '0x') !== '0x',
    readBalanceWei: () => ask((node) => node.getBalance({ address: account.address })),
    readHeight: async () => Number(await ask((node) => node.getBlockNumber({ cacheTime: 0 }))),
    readNonce: (blockTag) => ask((node) => node.getTransactionCount({ address: account.address, blockTag })),
    async readFees() {
      const { baseFeePerGas } = await ask((node) => node.getBlock());
      if (baseFeePerGas === null)
        throw new ChainTrouble('refused', 'The chain does not support EIP-1559 fees.');
      const priorityFeeWei = await ask((node) => node.estimateMaxPriorityFeePerGas());
      return { priorityFeeWei, maxFeeWei: 2n * baseFeePerGas + priorityFeeWei };
    },
    estimateGas: (call) =>
      ask((node) => node.estimateGas({ account: account.address, to: address, data: encode(call) })),
    async sign(call, { nonce, gas, maxFeeWei, priorityFeeWei }) {
      const raw = await account.signTransaction({
        chainId: access.chainId,
        to: address,
        data: encode(call),
        nonce,
        gas,
        maxFeePerGas: maxFeeWei,
        maxPriorityFeePerGas: priorityFeeWei,
      });
      return { raw, hash: keccak256(raw), nonce, maxFeeWei, priorityFeeWei };
    },
    async send(raw) {
      try {
        await ask((node) => node.sendRawTransaction({ serializedTransaction: raw as Hex }));
        return 'sent';
      } catch (error) {
        return readRefusal(error);
      }
    },
    async readMined(txHash, call) {
      return ask(async (node) => {
        const receipt = await readReceipt(node, txHash as Hex);
        return receipt?.status === 'success' ? toMined(receipt, address, call) : undefined;
      });
    },
    async readBlockHash(blockNumber) {
      const block = await ask((node) =>
        node.request({ method: 'eth_getBlockByNumber', params: [`0x${blockNumber.toString(16)}`, false] }),
      );
      return block?.hash ?? undefined;
    },
  };
}

export function connect(rpcUrl: string): PublicClient {
  const transport = http(rpcUrl, {
    retryCount: 0,
    // `ANSWER_MS` also limits the time for the response body. viem's own time limit ends with the first byte.
    timeout: 0,
    fetchFn: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS) }),
    maxResponseBodySize: MAX_ANSWER_BYTES,
  });
  return createPublicClient({ transport, cacheTime: 0 });
}

/** Converts a failure to ChainTrouble. */
export async function asked<Answer>(
  rpcUrl: string,
  closing: AbortSignal,
  question: () => Promise<Answer>,
): Promise<Answer> {
  let end = () => {};
  const closed = new Promise<never>((_, reject) => {
    end = () => reject(new ChainTrouble('unreachable', 'The service closes.'));
  });
  closing.addEventListener('abort', end);
  if (closing.aborted) end();
  try {
    return await Promise.race([question(), closed]);
  } catch (error) {
    throw toTrouble(error, rpcUrl);
  } finally {
    closing.removeEventListener('abort', end);
  }
}

function encode({ rootHex, size }: RegistryCall): Hex {
  const root: Hex = `0x${rootHex}`;
  return size === null
    ? encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'anchorDigest', args: [root] })
    : encodeFunctionData({ abi: REGISTRY_ABI, functionName: 'anchorRoot', args: [root, BigInt(size)] });
}

/** Returns undefined until a block contains the transaction. */
export async function readReceipt(node: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await node.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError') return undefined;
    throw error;
  }
}

function toMined(receipt: TransactionReceipt, address: Hex, call: RegistryCall): MinedTransaction {
  const event = receipt.logs.find((log) => log.address.toLowerCase() === address && isEventOf(log, call));
  if (event === undefined) {
    throw new ChainTrouble(
      'refused',
      `The transaction ${receipt.transactionHash} has no event of the registry at ${address}. ` +
        'Check BLOCKCHAIN_CONTRACT_ADDRESS.',
    );
  }
  return {
    txHash: receipt.transactionHash,
    blockNumber: Number(receipt.blockNumber),
    blockHash: receipt.blockHash,
    logIndex: event.logIndex,
  };
}

function isEventOf(
  log: Pick<TransactionReceipt['logs'][number], 'topics' | 'data'>,
  { rootHex, size }: RegistryCall,
): boolean {
  try {
    const event = decodeEventLog({ abi: REGISTRY_ABI, topics: log.topics, data: log.data });
    return event.eventName === 'DigestAnchored'
      ? size === null && event.args.digest === `0x${rootHex}`
      : Number(event.args.size) === size && event.args.root === `0x${rootHex}`;
  } catch (error) {
    // The registry does not define this event.
    if (error instanceof BaseError) return false;
    throw error;
  }
}

// These patterns match error messages of geth, erigon, nethermind, besu, reth and anvil.
/** The node has the transaction, or a block contains a transaction with this nonce. */
const KNOWN = /already known|already imported|known transaction|nonce (is )?too low|oldnonce|already in/i;
const FEE_TOO_LOW =
  /underpriced|fee ?cap|less than block base fee|fee too low|feetoolow|below (the )?minimum/i;
const NO_FUNDS = /insufficient (funds|balance)|insufficientfunds/i;

function readRefusal(error: unknown): 'known' | 'feeTooLow' {
  const { message } = error as Error;
  if (!(error instanceof ChainTrouble) || error.code !== 'refused') throw error;
  if (KNOWN.test(message)) return 'known';
  if (FEE_TOO_LOW.test(message)) return 'feeTooLow';
  throw error;
}

function toTrouble(error: unknown, rpcUrl: string): ChainTrouble {
  if (error instanceof ChainTrouble) return error;
  const { host } = new URL(rpcUrl);
  if (!(error instanceof BaseError)) {
    return new ChainTrouble('refused', `The RPC at ${host} returned an answer that cannot be read.`);
  }
  const outage = error.walk((one) =>
    /^(HttpRequestError|TimeoutError|SocketClosedError|RpcRequestError|LimitExceededRpcError)$/.test(
      (one as Error).name,
    ),
  ) as { name: string; status?: number } | null;
  if (outage !== null && outage.name !== 'RpcRequestError') {
    const said = outage.status === undefined ? 'does not answer' : `answers ${outage.status}`;
    return new ChainTrouble('unreachable', `The RPC at ${host} ${said}.`);
  }
  const said = withoutSecrets(error.details || error.shortMessage, new URL(rpcUrl)).slice(0, 200);
  if (NO_FUNDS.test(said)) return new ChainTrouble('insufficientFunds', said);
  return new ChainTrouble('refused', `The RPC at ${host} rejected the request: ${said}`);
}

/** Shorter parts of a URL do not count as keys. */
const MIN_SECRET_LENGTH = 6;

/** In a message, replaces the parts of the node's URL that may be keys. */
function withoutSecrets(said: string, { username, password, pathname, searchParams }: URL): string {
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  return parts
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .reduce((text, part) => text.replaceAll(part, '***'), said);
}
