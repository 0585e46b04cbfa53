import type { SpawnOptions } from 'node:child_process';

export function runQuietly(
  command: readonly string[],
  options?: SpawnOptions,
): Promise<{ code: number; stdout: string; stderr: string }>;

/** The npm that runs this process, or else the one in PATH. */
export function npm(...args: string[]): string[];
