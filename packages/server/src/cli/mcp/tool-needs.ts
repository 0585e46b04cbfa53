import type { Client } from '@colophon/sdk';
import type { ContentSource } from './given-content.js';

/** What the tools work with: a project of a running service, and where content is taken from. */
export interface ToolDeps extends ContentSource {
  client: Client;
  /** Address of the service. */
  url: string;
}
