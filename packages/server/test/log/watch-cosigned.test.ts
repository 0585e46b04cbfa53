import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCheckpoint } from '@colophon/model';
import { afterAll, describe, expect, it } from 'vitest';
import { openCheckpointHistory } from '../../src/cli/watch/checkpoint-history.js';
import { openNotifier } from '../../src/cli/watch/notify-webhook.js';
import { openTileLog } from '../../src/cli/watch/tile-log.js';
import { COSIGNED_CHECKPOINT } from '../support/ml-dsa-vectors.js';
import { startReceiver } from '../support/receiver.js';

const folder = mkdtempSync(path.join(tmpdir(), 'colophon-watch-cosigned-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('`colophon log watch`, for a checkpoint with cosignatures', () => {
  it('keeps the checkpoint in the history with the signature of the log, without cosignatures', async () => {
    const file = path.join(folder, 'history.txt');
    const history = openCheckpointHistory(file);
    await history.append(COSIGNED_CHECKPOINT, 'https://log.example.org');
    const [text = '', lines = ''] = COSIGNED_CHECKPOINT.split('\n\n');
    const [own] = lines.split(/(?<=\n)/);
    expect(readFileSync(file, 'utf8').replace(/^# .*\n/, '')).toBe(`${text}\n\n${own}\n`);
    const known = await history.readOfSize(text.split('\n')[0] ?? '', Number(text.split('\n')[1]));
    expect(known?.note.signatures).toHaveLength(1);
  });

  it('posts checkpoints without cosignatures, and cuts other long responses, if possible at a line break', async () => {
    const receiver = await startReceiver();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const notify = await openNotifier({ url: receiver.url, secret, secretFile: undefined });
    const line = 'a line of 20 letters\n';
    const notes = [COSIGNED_CHECKPOINT, line.repeat(1_000), 'x'.repeat(20_000)];
    const finding = { fault: 'rollback', origin: 'log.example.org', address: 'x', notes } as const;
    await notify(finding, new AbortController().signal);
    const [message] = await receiver.until(1);
    const { checkpoints } = JSON.parse(String(message?.body)).data;
    expect(parseCheckpoint(checkpoints[0])?.note.signatures).toHaveLength(1);
    expect(COSIGNED_CHECKPOINT.startsWith(checkpoints[0])).toBe(true);
    expect(checkpoints.slice(1)).toEqual([line.repeat(780), 'x'.repeat(16_384)]);
    await receiver.close();
  });

  it('reads at most 512 KiB of a checkpoint from a public log', async () => {
    const sizes = [524_288, 524_289];
    const log = createServer((_, response) => response.end('a'.repeat(sizes.shift() ?? 0)));
    await once(log.listen(0, '127.0.0.1'), 'listening');
    const { checkpoint } = openTileLog(`http://127.0.0.1:${(log.address() as AddressInfo).port}`);
    expect(await checkpoint()).toHaveLength(524_288);
    await expect(checkpoint()).rejects.toThrow('longer than 524288 bytes');
    log.closeAllConnections();
    log.close();
  });
});
