/** Bytes of a file. */
export interface ByteRange {
  start: number;
  length: number;
}

/** A manifest store in a file. `carrier`: the only bytes of the file that the hash of the manifest may leave out. */
export interface FoundStore {
  store: Uint8Array;
  carrier: readonly ByteRange[];
}

/** A format whose files carry a manifest store in a part of their own. */
export interface Container {
  canRead(bytes: Uint8Array): boolean;
  /**
   * Number of bytes at the end of the carrier that the hash may cover. Set if the carrier contains its own length or
   * end marker: the hash must then leave out the rest of the carrier, because a changed length could hide other data in
   * it.
   */
  maxCoveredBytes?: number;
  /** Returns the stores that belong to the file itself, and none of files inside it. May throw for a damaged file. */
  listStores(bytes: Uint8Array): FoundStore[];
}

export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Whether the characters are at this place of the file, one byte each. */
export function holdsAt(bytes: Uint8Array, at: number, characters: string): boolean {
  return Array.from(characters).every((character, index) => bytes[at + index] === character.charCodeAt(0));
}
