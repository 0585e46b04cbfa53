import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.js';
import { createLocalEmbedder, hasModelRunner, type ModelRunner } from '../../src/search/local-model.js';

const directory = mkdtempSync(path.join(tmpdir(), 'colophon-model-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The package that runs models is too large to install for tests. */
function createRunner(numbers: number[]) {
  const asked: string[] = [];
  const runner: ModelRunner = {
    env: { allowRemoteModels: true, localModelPath: '', useFSCache: true },
    async pipeline(_task, model) {
      asked.push(model);
      return async (text) => {
        asked.push(text);
        return { data: numbers };
      };
    },
  };
  return { runner, asked };
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('a model in a directory', () => {
  it('embeds at most 8,000 characters of a text, is loaded once, and is never downloaded', async () => {
    const { runner, asked } = createRunner([3, 4]);
    const embedder = createLocalEmbedder('/srv/models/small', async () => runner);
    expect(embedder.method).toBe('embedding/small');
    expect([...(await embedder.embed('a text'))]).toEqual([expect.closeTo(0.6), expect.closeTo(0.8)]);
    await embedder.embed('b'.repeat(10_000));
    expect(asked).toEqual(['small', 'a text', 'b'.repeat(8_000)]);
    expect(runner.env).toEqual({
      allowRemoteModels: false,
      localModelPath: '/srv/models',
      useFSCache: false,
    });
  });

  it.each([[[0, 0]], [[Number.NaN, 1]], [[]]])(
    '502: fails with EmbeddingFailed if it returns %j',
    async (numbers) => {
      const embedder = createLocalEmbedder('/srv/models/small', async () => createRunner(numbers).runner);
      await expect(embedder.embed('a text')).rejects.toMatchObject({ code: 'EmbeddingFailed' });
    },
  );

  it('502: is loaded again for the next text after a failed load', async () => {
    let tries = 0;
    const embedder = createLocalEmbedder('/srv/models/small', async () => {
      tries++;
      if (tries === 1) throw new Error('no such model');
      return createRunner([1]).runner;
    });
    await expect(embedder.embed('a text')).rejects.toMatchObject({ code: 'EmbeddingFailed' });
    expect([...(await embedder.embed('a text'))]).toEqual([1]);
  });

  it('is rejected at the start without config.json, without the package, or if EMBEDDINGS_URL is also set', () => {
    expect(problemsOf({ EMBEDDINGS_MODEL_DIR: directory })).toEqual([
      expect.stringContaining('has no file config.json'),
    ]);
    writeFileSync(path.join(directory, 'config.json'), '{}');
    expect(problemsOf({ EMBEDDINGS_MODEL_DIR: directory })).toEqual(
      hasModelRunner() ? [] : [expect.stringContaining('npm install @huggingface/transformers')],
    );
    expect(problemsOf({ EMBEDDINGS_MODEL_DIR: directory, EMBEDDINGS_URL: 'http://localhost:1' })).toEqual([
      expect.stringContaining('set one of them'),
    ]);
  });
});
