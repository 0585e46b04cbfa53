/** Yields each window of `width` consecutive code points, in UTF-8. A shorter text is one window. */
export function* codePointWindows(text: string, width: number): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const points = Array.from(text);
  const count = Math.max(points.length - width + 1, 1);
  for (let start = 0; start < count; start++) {
    yield encoder.encode(points.slice(start, start + width).join(''));
  }
}
