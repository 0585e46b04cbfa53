import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { residentBytes, startProcess } from '../support/process.js';
import { startS3rver } from '../support/s3/servers.js';
import { KEY } from '../support/service.js';

const MEBIBYTE = 2 ** 20;
const BOUNDARY = 'a-boundary-of-this-test';

function* patternOf(sizeBytes: number): Generator<Buffer> {
  // The bytes are no text, because the service also describes texts.
  const block = Buffer.alloc(65_536, Buffer.from([0, 1, 2, 3, 250, 251, 252]));
  for (let left = sizeBytes; left > 0; left -= block.length)
    yield block.subarray(0, Math.min(left, block.length));
}

function* formOf(sizeBytes: number): Generator<Buffer> {
  const json = JSON.stringify({ entity: { role: 'human', name: 'Ann' } });
  yield Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="json"\r\n\r\n${json}\r\n` +
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`,
  );
  yield* patternOf(sizeBytes);
  yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
}

async function upload(base: string, sizeBytes: number): Promise<{ cid: string }> {
  const call = request(`${base}/v1/activity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const answered = new Promise<{ cid: string }>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      if (response.statusCode === 201) resolve(JSON.parse(body));
      else reject(new Error(body));
    });
  });
  await pipeline(Readable.from(formOf(sizeBytes)), call);
  return answered;
}

it('a 200 MB upload to a bucket raises memory by at most 130 MiB and is returned unchanged', async () => {
  const server = await startS3rver();
  const { endpoint, bucket, accessKeyId, secretAccessKey } = server.place;
  const service = await startProcess({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  try {
    for (const size of [30, 31, 32]) await upload(service.base, size * MEBIBYTE);
    const before = residentBytes(service.pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentBytes(service.pid));
    }, 10);
    const { cid } = await upload(service.base, 200_000_000);
    clearInterval(watch);
    const growth = (peak - before) / MEBIBYTE;
    process.stdout.write(
      `200 MB to a bucket: memory ${(before / MEBIBYTE).toFixed(0)} MiB, +${growth.toFixed(1)} MiB\n`,
    );
    expect(growth).toBeLessThan(130);
    const expected = createHash('sha256');
    for (const chunk of patternOf(200_000_000)) expected.update(chunk);
    const stored = createHash('sha256');
    const content = await service.send(`/v1/resource/${cid}/content`);
    for await (const chunk of content.body ?? []) stored.update(chunk);
    expect(stored.digest('hex')).toBe(expected.digest('hex'));
  } finally {
    await service.stop();
    await server.close();
  }
});
