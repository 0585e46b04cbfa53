export const BOUNDARY = 'a-boundary-of-this-test';

/** The file has a repeated pattern, generated during the upload. */
export function* formOf(sizeBytes: number, json: string): Generator<Buffer> {
  yield Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="json"\r\n\r\n${json}\r\n` +
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`,
  );
  for (const chunk of patternOf(sizeBytes)) yield chunk;
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

/** For a text, the service would also compute a descriptor. */
export function* patternOf(sizeBytes: number): Generator<Buffer> {
  const block = Buffer.alloc(65_536, Buffer.from([0, 1, 2, 3, 250, 251, 252]));
  for (let left = sizeBytes; left > 0; left -= block.length)
    yield block.subarray(0, Math.min(left, block.length));
}
