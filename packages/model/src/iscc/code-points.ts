/** Yields windows of `width` code points, in UTF-8. A shorter text gives one window. */
export function* codePointWindows(text: string, width: number): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  // A byte of the form 10xxxxxx continues a code point (RFC 3629 §3).
  const starts = new Uint32Array(bytes.length + 1);
  let count = 0;
  for (const [at, byte] of bytes.entries()) if ((byte & 0xc0) !== 0x80) starts[count++] = at;
  starts[count] = bytes.length;
  yield bytes.subarray(0, starts[Math.min(width, count)]);
  for (let first = 1; first + width <= count; first++)
    yield bytes.subarray(starts[first], starts[first + width]);
}
