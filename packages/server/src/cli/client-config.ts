import type { ClientConfig } from '../config/client.js';
import { readClientConfig } from '../config.js';

/** Where the command line finds a running service. Warnings go to stderr, so that stdout holds the answer alone. */
export function requireClientConfig(): ClientConfig {
  const config = readClientConfig();
  for (const warning of config.warnings) process.stderr.write(`Warning: ${warning}.\n`);
  return config;
}
