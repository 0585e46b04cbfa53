import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registerExplain } from './explain-tool.js';
import { registerFind } from './find-tool.js';
import { registerRecord } from './record-tool.js';
import type { ToolNeeds } from './tool-needs.js';
import { registerVerify } from './verify-tool.js';

const INSTRUCTIONS =
  'Colophon records who did what to which content, and proves it. Record content that you make or use, naming what it ' +
  'was made from by CID; find and verify content that you are given; explain tells its history.';

/** An MCP server with the tools record, find, verify and explain; it is connected to a transport by the caller. */
export function createToolServer(needs: ToolNeeds, version: string): McpServer {
  const server = new McpServer({ name: 'colophon', version }, { instructions: INSTRUCTIONS });
  for (const register of [registerRecord, registerFind, registerVerify, registerExplain])
    register(server, needs);
  return server;
}
