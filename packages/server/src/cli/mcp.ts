import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '@colophon/sdk';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ClientConfig } from '../config/client.js';
import { readConfig } from '../config.js';
import { createHttpServer } from './mcp/http-server.js';
import { createToolServer } from './mcp/tool-server.js';
import { requireClientConfig } from './open-client.js';
import { UsageError } from './usage.js';

const DEFAULT_PORT = 3002;

export async function mcpCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      http: { type: 'boolean' },
      root: { type: 'string' },
      host: { type: 'string' },
      port: { type: 'string' },
      'allow-host': { type: 'string', multiple: true },
    },
  });
  const { http, root, host, port, 'allow-host': allowedHosts } = values;
  const isHttpOnly = host ?? port ?? allowedHosts;
  if (http && root !== undefined)
    throw new UsageError('--root works only over stdio: over HTTP no tool accepts a path.');
  if (!http && isHttpOnly !== undefined) throw new UsageError('--host, --port and --allow-host need --http.');
  const config = requireClientConfig();
  const { version } = readConfig({});
  if (!http) return serveStdio(config, { root: path.resolve(root ?? '.'), version });
  const server = createHttpServer({
    url: config.url,
    version,
    allowedHosts: [...(allowedHosts ?? []), ...(host === undefined ? [] : [host])].map(toHost),
  });
  server.listen(readPort(port), host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  process.stderr.write(`MCP at http://${toHost(host ?? '127.0.0.1')}:${actual}/mcp, for ${config.url}\n`);
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/** The protocol uses stdout, so no other code may write there. */
async function serveStdio(
  { url, apiKey }: ClientConfig,
  { root, version }: { root: string; version: string },
): Promise<void> {
  if (apiKey === undefined) throw new UsageError('Set COLOPHON_API_KEY first.');
  const server = createToolServer({ client: createClient({ url, apiKey }), url, root }, version);
  await server.connect(new StdioServerTransport());
}

function toHost(name: string): string {
  return (name.includes(':') && !name.startsWith('[') ? `[${name}]` : name).toLowerCase();
}

function readPort(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new UsageError('--port takes 0 to 65535.');
  return Number(text);
}
