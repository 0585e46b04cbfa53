import { WITHHOLDABLE } from '@colophon/model';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { toolInput } from './given-content.js';
import { answer } from './tool-answer.js';
import type { ToolDeps } from './tool-deps.js';

const DAY_MS = 86_400_000;

const input = {
  cid: z.string().meta({ description: 'Recorded content' }),
  title: z.string().max(200).optional().meta({ description: 'Shown above the history' }),
  withhold: z
    .array(z.enum(WITHHOLDABLE))
    .optional()
    .meta({ description: 'Parts to leave out; default: all but names and tools' }),
  hideAll: z.boolean().optional().meta({ description: 'Show everybody under a pseudonym' }),
  titles: z.boolean().optional().meta({
    description: 'Show the titles of the contents, which can be file names; default: false',
  }),
  picture: z.boolean().optional().meta({
    description: 'Show a smaller copy of the picture, without its metadata; default: false',
  }),
  license: z.boolean().optional().meta({
    description: 'Show the terms of the licences, also when other data is left out; default: false',
  }),
  days: z.int().min(1).max(36_500).optional().meta({ description: 'Lifetime; default: unlimited' }),
};

const output = z.object({
  id: z.string(),
  link: z.string(),
  withhold: z.array(z.string()),
  expiresAt: z.string().nullable(),
});

export function registerPublish(server: McpServer, deps: ToolDeps): void {
  server.registerTool(
    'publish',
    {
      title: 'Publish the history of content',
      description:
        'Publishes the history of recorded content to everybody who has the link. Use this tool only when the user asked to publish.',
      inputSchema: toolInput(input),
      outputSchema: output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    ({ cid, title, withhold, hideAll, titles, picture, license, days }) =>
      answer(async () => {
        const made = await deps.client.publications.create({
          cid,
          ...(title !== undefined && { title }),
          ...(withhold !== undefined && { withhold }),
          ...(hideAll && { hiddenEntities: 'all' }),
          ...(titles && { titles }),
          ...(picture && { picture }),
          ...(license && { license }),
          ...(days !== undefined && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
        });
        const { href: link } = new URL(made.path, deps.url);
        const { id, expiresAt } = made;
        return { says: `Published: ${link}`, data: { id, link, withhold: made.withhold, expiresAt } };
      }),
  );
}
