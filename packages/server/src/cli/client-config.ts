import type { ClientConfig } from '../config/client.js';
import { readClientConfig } from '../config.js';

/** Reads the address and keys of the service. Warnings go to stderr, so that stdout holds the answer alone. */
export function requireClientConfig(): ClientConfig {
  const config = readClientConfig();
  for (const warning of config.warnings) process.stderr.write(`Warning: ${warning}.\n`);
  return config;
}
