import { createHash, webcrypto } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createOpenCar } from '../../src/records/pinning/read-content.js';

const MIB = 2 ** 20;

describe('contents that are read as CARs at the same time', () => {
  it('are hashed one block at a time, and the projects take turns', async () => {
    const { digest, projects } = watchDigests();
    const openCar = createOpenCar();
    const { signal } = new AbortController();
    const read = async (project: number) => {
      const car = await openCar(contentOf(project), { projectId: `project ${project}`, signal });
      for await (const _ of car);
    };
    // `openCar` compares the CID only after the last block, so the bytes need not match.
    await Promise.allSettled([read(1), read(1), read(1), read(1), read(2)]);
    expect(digest.most).toBe(1);
    // Between two of its blocks, project 2 waits for few blocks of project 1.
    expect(projects.indexOf(2)).toBeLessThanOrEqual(4);
    expect(projects.lastIndexOf(2)).toBeLessThanOrEqual(13);
    expect(projects.filter((project) => project === 1)).toHaveLength(16);
  });

  it('are not hashed further after the caller leaves', async () => {
    const { projects } = watchDigests();
    const leaving = new AbortController();
    const caller = { projectId: 'project', signal: leaving.signal };
    const car = await createOpenCar()(contentOf(1), caller);
    const reading = (async () => {
      for await (const _ of car) leaving.abort(new Error('left'));
    })();
    await expect(reading).rejects.toThrow('left');
    expect(projects.length).toBeLessThan(4);
  });
});

/** The first byte of each block is the number of the project. */
function contentOf(project: number) {
  return {
    cid: 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
    contentDigest: 'sha256:unused',
    mimeType: 'application/octet-stream',
    sizeBytes: 4 * MIB,
    ready: async () => {},
    open: async () =>
      (async function* blocks() {
        for (let block = 0; block < 4; block++) yield new Uint8Array(MIB).fill(project);
      })(),
  };
}

/** Counts the hashes that run at the same time, and lists their projects. */
function watchDigests() {
  const digest = { running: 0, most: 0 };
  const projects: number[] = [];
  vi.spyOn(webcrypto.subtle, 'digest').mockImplementation(async (_, data) => {
    projects.push((data as Uint8Array)[0] ?? 0);
    digest.most = Math.max(digest.most, ++digest.running);
    await setImmediate();
    digest.running--;
    return new Uint8Array(
      createHash('sha256')
        .update(data as Uint8Array)
        .digest(),
    ).buffer;
  });
  return { digest, projects };
}
