import { concatBytes } from '@noble/hashes/utils.js';
import { DAG_PB_CODEC, sha256CidBytes } from './sha256-cid.js';

/** A leaf, or a node over other parts. */
export interface FilePart {
  readonly cidBytes: Uint8Array;
  /** The size of the file content under this part. */
  readonly contentSizeBytes: number;
  /** The size of the part's block and of all blocks under it (dag-pb: Tsize). */
  readonly blocksSizeBytes: number;
}

export type TakeBlock = (cidBytes: Uint8Array, block: Uint8Array) => void;

// Field number times 8 plus the wire type (0 varint, 2 length-delimited).
const VARINT = 0;
const DELIMITED = 2;
const tag = (field: number, wireType: number) => field * 8 + wireType;

// dag-pb: PBNode { Data = 1, Links = 2 }, PBLink { Hash = 1, Name = 2, Tsize = 3 }.
const NODE_DATA = tag(1, DELIMITED);
const NODE_LINK = tag(2, DELIMITED);
const LINK_HASH = tag(1, DELIMITED);
const LINK_NAME = tag(2, DELIMITED);
const LINK_TSIZE = tag(3, VARINT);

// UnixFS: Data { Type = 1, filesize = 3, blocksizes = 4 }, DataType.File = 2.
const DATA_TYPE = tag(1, VARINT);
const DATA_FILE_SIZE = tag(3, VARINT);
const DATA_BLOCK_SIZE = tag(4, VARINT);
const TYPE_FILE = 2;

/**
 * Creates the node over consecutive parts of a file: dag-pb with UnixFS data of type File. The links precede the data
 * and have empty names (dag-pb specification, "Serial Format").
 */
export function createFileNode(
  parts: readonly FilePart[],
  sha256: (block: Uint8Array) => Uint8Array,
  takeBlock?: TakeBlock,
): FilePart {
  const block = concatBytes(...parts.map(encodeLink), delimited(NODE_DATA, encodeFileData(parts)));
  const cidBytes = sha256CidBytes(DAG_PB_CODEC, sha256(block));
  takeBlock?.(cidBytes, block);
  return {
    cidBytes,
    contentSizeBytes: sum(parts.map((part) => part.contentSizeBytes)),
    blocksSizeBytes: block.length + sum(parts.map((part) => part.blocksSizeBytes)),
  };
}

function encodeLink({ cidBytes, blocksSizeBytes }: FilePart): Uint8Array {
  const hash = delimited(LINK_HASH, cidBytes);
  const name = delimited(LINK_NAME, new Uint8Array());
  return delimited(NODE_LINK, concatBytes(hash, name, numeric(LINK_TSIZE, blocksSizeBytes)));
}

function encodeFileData(parts: readonly FilePart[]): Uint8Array {
  const sizes = parts.map((part) => part.contentSizeBytes);
  return concatBytes(
    numeric(DATA_TYPE, TYPE_FILE),
    numeric(DATA_FILE_SIZE, sum(sizes)),
    ...sizes.map((size) => numeric(DATA_BLOCK_SIZE, size)),
  );
}

function delimited(fieldTag: number, bytes: Uint8Array): Uint8Array {
  return concatBytes(numeric(fieldTag, bytes.length), bytes);
}

/** Least significant group first. `value` is a safe integer. */
function numeric(fieldTag: number, value: number): Uint8Array {
  const bytes = [fieldTag];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80); // no bit operators: they would cut sizes to 32 bits
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
