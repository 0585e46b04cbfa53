import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { createRecorder } from '../../src/records/write/recorder.js';
import { ANY_ENGINE, startService } from '../support/service.js';

const projectAt = (place: number) => `00000000-0000-8000-8000-00000000000${place}`;

it('two projects with slow jobs leave a slot for the jobs of another project', async () => {
  const slow: string[] = [];
  const done: string[] = [];
  const service = await startService(ANY_ENGINE, {
    overrides: {
      jobHandlers: {
        async probe({ projectId }, signal) {
          if (projectId === projectAt(3)) return void done.push(projectId);
          slow.push(projectId);
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
        },
      },
    },
  });
  const { provenance } = service.context.databases;
  const addJobs = async (projectId: string) => {
    const jobs = Array.from({ length: 4 }, () => ({ id: uuidv7(), kind: 'probe', payload: {} }));
    await createRecorder(provenance).record(projectId, { jobs });
    service.context.jobs.wake();
  };
  await addJobs(projectAt(1));
  await addJobs(projectAt(2));
  await expect.poll(() => new Set(slow).size, { timeout: 10_000 }).toBe(2);
  await addJobs(projectAt(3));
  await expect.poll(() => done.length, { timeout: 10_000 }).toBe(4);
  await service.stop();
});
