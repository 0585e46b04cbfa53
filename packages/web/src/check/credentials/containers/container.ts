export interface ByteRange {
  start: number;
  length: number;
}

/** `carrier`: the only bytes of the file that the hash of the manifest may leave out. */
export interface FoundStore {
  store: Uint8Array;
  carrier: readonly ByteRange[];
}

export interface Container {
  canRead(bytes: Uint8Array): boolean;
  /**
   * Number of bytes at the end of the carrier that the hash may cover. Set if the carrier contains its own length or
   * end marker: a changed length could hide other data, so the hash must leave out the rest.
   */
  maxCoveredBytes?: number;
  /** Returns only the stores of the file itself, none of files inside it. May throw for a damaged file. */
  listStores(bytes: Uint8Array): FoundStore[];
}

export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

export function holdsAt(bytes: Uint8Array, at: number, characters: string): boolean {
  return Array.from(characters).every((character, index) => bytes[at + index] === character.charCodeAt(0));
}
