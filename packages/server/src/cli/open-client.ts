import { type Client, createClient, createManagementClient, type ManagementClient } from '@colophon/sdk';
import type { ClientConfig } from '../config/client.js';
import { readClientConfig } from '../config.js';
import { UsageError } from './usage.js';

/** Throws UsageError without a key. */
export function openClient(config = requireClientConfig()): Client {
  return createClient({ url: config.url, apiKey: requireSecret('COLOPHON_API_KEY', config.apiKey) });
}

/** Opens a client for calls without a key. */
export function openVisitor(config = requireClientConfig()): Client {
  return createClient({ url: config.url });
}

/** Throws UsageError without the management secret. */
export function openManagement(config = requireClientConfig()): ManagementClient {
  const managementKey = requireSecret('MANAGEMENT_API_KEY', config.managementKey);
  return createManagementClient({ url: config.url, managementKey, userId: config.userId });
}

function requireSecret(variable: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`Set ${variable} first.`);
}

/** Writes warnings to stderr, so that stdout contains only the response. */
export function requireClientConfig(): ClientConfig {
  const config = readClientConfig();
  for (const warning of config.warnings) process.stderr.write(`Warning: ${warning}.\n`);
  return config;
}
