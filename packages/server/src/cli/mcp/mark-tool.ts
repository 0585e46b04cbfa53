import { aiDisclosureSchema, type MarkRequest, markLayerSchema } from '@colophon/model';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentFields, readGiven, toolInput } from './given-content.js';
import { answer } from './tool-answer.js';
import type { ToolDeps } from './tool-deps.js';

const output = z.object({
  cid: z.string().meta({ description: 'CID of the marked copy' }),
  actionId: z.string(),
  entityId: z.string(),
  contentUrl: z.string().meta({ description: 'Path of the marked copy at the service' }),
  layers: z.array(markLayerSchema),
});

export function registerMark(server: McpServer, deps: ToolDeps): void {
  const inputSchema = toolInput({
    ...contentFields(deps),
    entityId: z
      .string()
      .meta({ description: 'Id of the entity that made the content. The tool `record` creates entities' }),
    generator: z.string().meta({ description: 'The tool or model that made the content' }),
    aiDisclosure: aiDisclosureSchema,
    title: z.string().optional(),
    watermark: z.boolean().optional().meta({
      description:
        'Whether a picture, sound or MP4 video gets a watermark (a small change). Default: true if an AI was used',
    }),
  });
  server.registerTool(
    'mark',
    {
      title: 'Mark AI content',
      description:
        'Marks content as made with or without AI, on every layer that its format can carry, and records the marked copy. The result has the CID of this copy and the state of each layer.',
      inputSchema,
      outputSchema: output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    ({ entityId, generator, aiDisclosure, title, watermark, ...given }) =>
      answer(async () => {
        const { content, fileName } = await readGiven(deps, given);
        const said = { entityId, generator, aiDisclosure, ...(title && { title }) };
        const { cid, actionId, contentUrl, layers, ...mark } = await deps.client.mark(
          content,
          (watermark === undefined ? said : { ...said, watermark }) as MarkRequest,
          { fileName },
        );
        const states = layers.map(({ kind, state }) => `${kind} ${state}`).join(', ');
        const says = `Marked and recorded as ${cid} by action ${actionId}: ${states}.`;
        return { says, data: { cid, actionId, entityId: mark.entityId, contentUrl, layers } };
      }),
  );
}
