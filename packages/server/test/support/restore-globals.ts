import { vi } from 'vitest';

// Files share a process, so spies and variables of a failed test must not reach the next file.
vi.restoreAllMocks();
vi.unstubAllEnvs();
