import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import type { Variables } from './config-variables.js';
import type { EmbeddingsConfig } from './search/embed-text.js';

/** How altered content is found. */
export interface SearchConfig {
  /** Threads that describe content, and the time that one task may take. */
  threads: number;
  timeoutMs: number;
  /** What a recording waits for its matches. */
  waitMs: number;
  /** The program that makes fingerprints of sound. */
  fpcalc: string | undefined;
  embeddings: EmbeddingsConfig | undefined;
}

/** Describing content is short work; one thread keeps up with recordings and leaves the rest to requests. */
const THREADS = 1;
const TIMEOUT_MS = 10_000;

/** The search part of the configuration, and every problem in it; `searchPath` is where programs lie. */
export function readSearchConfig(
  read: Variables,
  searchPath: string,
): { search: SearchConfig; problems: string[] } {
  const { MATCH_WAIT_MS: waitMs, FPCALC: stated } = read;
  const problems =
    stated === undefined || stated === 'off' || isProgram(stated)
      ? []
      : [`FPCALC names ${stated}, which is no program: install it, or set off`];
  const fpcalc = stated === 'off' ? undefined : (stated ?? findProgram('fpcalc', searchPath));
  const search = { threads: THREADS, timeoutMs: TIMEOUT_MS, waitMs, fpcalc, embeddings: toEmbeddings(read) };
  return { search, problems };
}

function toEmbeddings(read: Variables): EmbeddingsConfig | undefined {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = read;
  return url === undefined ? undefined : { url, model, apiKey };
}

function findProgram(name: string, searchPath: string): string | undefined {
  const places = searchPath.split(path.delimiter).filter((place) => path.isAbsolute(place));
  return places.map((place) => path.join(place, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // absent, or not for this user to run
  }
}
