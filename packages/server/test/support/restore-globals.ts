import { vi } from 'vitest';

// Files share a process. A failed test may leave spies and variables, which must not reach the next file.
vi.restoreAllMocks();
vi.unstubAllEnvs();
