/** A range of bytes in a text. */
export interface ByteRange {
  start: number;
  length: number;
}

/** The method by which a text carries its manifest: C2PA 2.4 §A.8, §A.9 or §A.7. */
export type TextMethod = 'unstructured' | 'structured' | 'html';

/** A place in a text that carries a manifest, or names one. */
export interface TextCarrier {
  method: TextMethod;
  /** The manifest store; undefined for a damaged one, and for a reference. */
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

/** Decodes bytes to a string with one character per byte, so an index in it is the offset of a byte. */
export function toBytewise(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

export function rangeOf(start: number, end: number): ByteRange {
  return { start, length: end - start };
}
