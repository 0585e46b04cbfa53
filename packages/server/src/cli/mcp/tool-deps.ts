import type { Client } from '@colophon/sdk';
import type { ContentSource } from './given-content.js';

export interface ToolDeps extends ContentSource {
  client: Client;
  url: string;
}
