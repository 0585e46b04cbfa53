/** A range of bytes in a text. */
export interface ByteRange {
  start: number;
  length: number;
}

/** The method by which a text carries its manifest: C2PA 2.4 §A.8, §A.9 or §A.7, in this order. */
export type TextMethod = 'unstructured' | 'structured' | 'html';

/** A place in a text that carries a manifest, or refers to one. */
export interface TextCarrier {
  method: TextMethod;
  /** The manifest store. Undefined if the store is damaged, or if the carrier only refers to a store. */
  store?: Uint8Array;
  /** The address of a manifest that is stored elsewhere. */
  url?: string;
  /** The C2PA status code of a carrier that cannot be used. */
  fault?: string;
  /** The bytes of the carrier itself. The hard binding must exclude all of them. */
  inner: ByteRange;
  /** The bytes that the hard binding may exclude: the carrier with its comment signs and line ends. */
  outer: ByteRange;
}

const PART_BYTES = 2 ** 20;

/**
 * One character per byte, so an index in the string is a byte offset. Decoding all bytes at once would need three times
 * their size in memory.
 */
export function toBytewise(bytes: Uint8Array): string {
  const decoder = new TextDecoder('latin1');
  let text = '';
  for (let at = 0; at < bytes.length; at += PART_BYTES)
    text += decoder.decode(bytes.subarray(at, at + PART_BYTES));
  return text;
}

export function rangeOf(start: number, end: number): ByteRange {
  return { start, length: end - start };
}
