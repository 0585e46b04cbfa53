import type { Client } from '@colophon/sdk';
import type { ContentSource } from './given-content.js';

/** Dependencies of the tools: a project of a running service, and the source of content. */
export interface ToolDeps extends ContentSource {
  client: Client;
  /** Address of the service. */
  url: string;
}
