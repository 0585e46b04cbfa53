import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makePicture } from '../../../../bench/support/pictures.mjs';
import { ServiceError } from '../../src/errors.js';
import type { Job } from '../../src/platform/jobs/outbox.sql.js';
import { NotBegunError } from '../../src/platform/jobs/run-jobs.js';
import { createDescribeHandler } from '../../src/records/matching/describe-job.js';
import type { SearchPool } from '../../src/search/search-pool.js';
import type { SearchTask } from '../../src/search/worker/protocol.js';
import { openScheduler } from '../support/scheduler.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

describe('the job that describes content', () => {
  let service: Service;
  let cid: string;
  const query = <Row>(sql: string) => service.context.records.provenance.query<Row>(sql, [cid]);
  const queued = () => query(`select id from provenance.outbox where payload->>'cid' = $1`);
  beforeAll(async () => {
    service = await startService(ANY_ENGINE, { environment: { MATCH_WAIT_MS: '0' } });
    ({ cid } = await (await service.upload(await makePicture(1))).json());
    await vi.waitFor(async () => expect(await queued()).toEqual([]), { timeout: 20_000 });
  });
  afterAll(() => service.stop());

  /** Deletes the content's rows from the tables `lacks`, and runs the job. */
  async function run(lacks: readonly string[], isSlow: (task: SearchTask) => boolean) {
    for (const table of lacks) await query(`delete from provenance.${table} where cid = $1`);
    const { records } = service.context;
    const tasks: string[] = [];
    let isCopied = false;
    const pool: SearchPool = {
      ...records.matching.pool,
      async run(task, slot) {
        if (task.kind !== 'describe' || task.isOnlyStored !== true) throw new Error('not for storing');
        tasks.push(task.iscc ?? 'describe');
        if (!isSlow(task)) {
          const answer = await records.matching.pool.run(task, slot);
          // Bytes that move to a thread are empty here afterwards.
          isCopied ||= task.bytes.length > 0;
          return answer;
        }
        slot.hold(sleep(50).then(() => tasks.push('ended')));
        throw new ServiceError('Timeout', 'It took too long.', { status: 504 });
      },
    };
    const handler = createDescribeHandler({ ...records, matching: { ...records.matching, pool } });
    await handler(await readJob(), new AbortController().signal);
    const [descriptor] = await query<{ numbers: number }>(
      'select cardinality(embedding) as numbers from provenance.descriptor where cid = $1',
    );
    const [iscc] = await query<{ medium: string }>('select medium from provenance.iscc where cid = $1');
    return { tasks, numbers: descriptor?.numbers, medium: iscc?.medium, isCopied };
  }

  async function readJob(): Promise<Job> {
    const [stored] = await query<{ projectId: string; payload: Record<string, unknown> }>(
      `select project_id as "projectId", jsonb_build_object('cid', cid, 'contentDigest',
         'sha256:' || encode(content_digest, 'hex'), 'mimeType', mime_type, 'sizeBytes', size_bytes) as payload
       from provenance.resource where cid = $1`,
    );
    if (stored === undefined) throw new Error('the content is not recorded');
    return { ...stored, id: cid, kind: 'describe', attempt: 1, claim: '' };
  }

  it('reports that it has not begun if its time ends before it gets a slot, and not otherwise', async () => {
    await query('delete from provenance.descriptor where cid = $1');
    const scheduler = openScheduler();
    const { records } = service.context;
    const late = new AbortController();
    const pool: SearchPool = {
      ...records.matching.pool,
      async run() {
        late.abort(new Error('the time limit'));
        throw late.signal.reason;
      },
    };
    const handler = createDescribeHandler({
      ...records,
      scheduler,
      matching: { ...records.matching, pool },
    });
    const job = await readJob();
    await expect(handler(job, late.signal)).rejects.toThrow('the time limit');
    let free = () => {};
    const busy = scheduler.run(
      { projectId: 'other', kind: 'describe' },
      () =>
        new Promise<void>((resolve) => {
          free = resolve;
        }),
    );
    const waiting = new AbortController();
    const run = handler(job, waiting.signal);
    await vi.waitFor(() => expect(scheduler.counts().describe.waiting).toBe(1));
    waiting.abort(new Error('the time limit'));
    await expect(run).rejects.toBeInstanceOf(NotBegunError);
    free();
    await busy;
  });

  const isIn =
    (...slow: (string | undefined)[]) =>
    (task: SearchTask) =>
      task.kind === 'describe' && slow.includes(task.iscc);

  it('computes the descriptor and the ISCC from one decoding when the task ends in time', async () => {
    const found = await run(['descriptor', 'iscc'], () => false);
    expect(found).toEqual({ tasks: ['also'], numbers: 512, medium: 'image', isCopied: false });
  });

  // Without the codes of the bytes, the job would run again at each start.
  it('stores the descriptor and the codes of the bytes when both parts take too long together', async () => {
    const found = await run(['descriptor', 'iscc'], isIn('also'));
    expect(found).toEqual({
      tasks: ['also', 'ended', 'bytes', 'describe'],
      numbers: 512,
      medium: '',
      isCopied: false,
    });
  });

  it('stores the codes of the bytes when only the ISCC is missing and takes too long', async () => {
    const found = await run(['iscc'], isIn('only'));
    expect(found).toEqual({ tasks: ['only', 'ended', 'bytes'], numbers: 512, medium: '', isCopied: false });
  });

  it('stores the codes of the bytes and an empty descriptor when the descriptor takes too long', async () => {
    const found = await run(['descriptor', 'iscc'], isIn('also', undefined));
    expect(found).toMatchObject({ numbers: 0, medium: '' });
  });

  it('stores no ISCC when also the codes of the bytes take too long', async () => {
    const found = await run(['descriptor', 'iscc'], isIn('also', 'bytes'));
    expect(found).toMatchObject({ numbers: 512, medium: undefined });
  });
});
