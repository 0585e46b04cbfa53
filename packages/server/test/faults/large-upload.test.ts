import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { BOUNDARY, formOf, patternOf } from '../support/large-form.js';
import { residentBytes, type ServiceProcess, startProcess } from '../support/process.js';
import { KEY } from '../support/service.js';

const MEBIBYTE = 2 ** 20;

async function uploadLarge(
  service: ServiceProcess,
  sizeBytes: number,
): Promise<{ status: number; body: string }> {
  const call = request(`${service.base}/v1/activity`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    call.once('error', reject);
    call.once('response', async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body });
    });
  });
  const json = JSON.stringify({ entity: { role: 'human', name: 'Ann' } });
  await pipeline(Readable.from(formOf(sizeBytes, json)), call);
  return answered;
}

it('a 400 MB upload raises memory by at most 80 MiB and is stored unchanged', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'colophon-large-'));
  const service = await startProcess({ DATA_DIR: directory });
  try {
    for (const size of [16, 17, 18]) await uploadLarge(service, size * MEBIBYTE);
    const before = residentBytes(service.pid);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, residentBytes(service.pid));
    }, 10);
    const size = 400_000_000;
    const { status, body } = await uploadLarge(service, size);
    clearInterval(watch);
    expect(status).toBe(201);
    const { cid } = JSON.parse(body);
    const growth = (peak - before) / MEBIBYTE;
    process.stdout.write(
      `400 MB upload: memory ${(before / MEBIBYTE).toFixed(0)} MiB, +${growth.toFixed(1)} MiB\n`,
    );
    expect(growth).toBeLessThan(80);

    const expected = createHash('sha256');
    for (const chunk of patternOf(size)) expected.update(chunk);
    const stored = createHash('sha256');
    const content = await service.send(`/v1/resource/${cid}/content`);
    for await (const chunk of content.body ?? []) stored.update(chunk);
    expect(stored.digest('hex')).toBe(expected.digest('hex'));
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true });
  }
});
