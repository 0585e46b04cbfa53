/** An element of DER: its tag, its content, and all its bytes. */
export interface DerElement {
  tag: number;
  content: Uint8Array;
  whole: Uint8Array;
}

/**
 * Parses consecutive elements of DER (ITU-T X.690), such as the parts of a certificate. Does not parse the elements
 * inside them. Returns undefined for other bytes. A length must have its shortest form (§10.1) and at most 4 bytes.
 * Tags of several bytes (§8.1.2.4), which certificates do not have, are invalid too.
 *
 * @example
 * readDer(Uint8Array.of(2, 1, 7, 5, 0))?.length; // => 2
 */
export function readDer(bytes: Uint8Array): DerElement[] | undefined {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const element = readElement(bytes.subarray(offset));
    if (element === undefined) return undefined;
    elements.push(element);
    offset += element.whole.length;
  }
  return elements;
}

/** The low 5 bits of a tag that continues in further bytes. */
const MULTI_BYTE = 0x1f;

function readElement(bytes: Uint8Array): DerElement | undefined {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if ((tag & MULTI_BYTE) === MULTI_BYTE || first === 0x80 || lengthBytes > 4) return undefined;
  const start = 2 + lengthBytes;
  const length = first < 0x80 ? first : bytes.subarray(2, start).reduce((sum, byte) => sum * 256 + byte, 0);
  const isShortest = lengthBytes === 0 || length >= Math.max(0x80, 256 ** (lengthBytes - 1));
  if (!isShortest || bytes.length < start + length) return undefined;
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(0, start + length) };
}
