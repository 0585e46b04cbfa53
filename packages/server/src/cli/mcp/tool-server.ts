import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registerCredentials } from './credentials-tool.js';
import { registerExplain } from './explain-tool.js';
import { registerFind } from './find-tool.js';
import { registerMark } from './mark-tool.js';
import { registerPublish } from './publish-tool.js';
import { registerRecord } from './record-tool.js';
import { registerShares } from './shares-tool.js';
import type { ToolDeps } from './tool-deps.js';
import { registerVerify } from './verify-tool.js';

const INSTRUCTIONS =
  'Colophon records who did what to which content, and proves it. Record content that you make or use, and name its ' +
  'sources by CID. Mark content that an AI made. Find and verify content that you receive. The tool explain returns ' +
  'the history of content. The tool shares returns the share of each maker. The tool credentials returns the claims ' +
  'inside a file. The tool publish shows the history to everybody who has the link.';

const TOOLS = [
  registerRecord,
  registerMark,
  registerFind,
  registerVerify,
  registerExplain,
  registerShares,
  registerCredentials,
  registerPublish,
];

export function createToolServer(deps: ToolDeps, version: string): McpServer {
  const server = new McpServer({ name: 'colophon', version }, { instructions: INSTRUCTIONS });
  for (const register of TOOLS) register(server, deps);
  return server;
}
