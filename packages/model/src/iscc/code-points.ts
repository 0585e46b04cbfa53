/** Yields every part of `width` code points, one after the other in UTF-8. A shorter text is one part. */
export function* codePointWindows(text: string, width: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const points = Array.from(text);
  const count = Math.max(points.length - width + 1, 1);
  for (let start = 0; start < count; start++) {
    yield encoder.encode(points.slice(start, start + width).join(''));
  }
}
