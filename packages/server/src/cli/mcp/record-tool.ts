import { type ActivityRequest, actionTypeSchema, aiToolSchema, entityRoleSchema } from '@colophon/model';
import { duplicateOf } from '@colophon/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentFields, readGiven, toolInput } from './given-content.js';
import { answer, type ToolFinding } from './tool-answer.js';
import type { ToolDeps } from './tool-deps.js';

const output = z.object({
  cid: z.string(),
  actionId: z.string().meta({ description: 'The action that recorded the content' }),
  alreadyRecorded: z.boolean().meta({ description: 'True if the content was recorded before this call' }),
  entityId: z.string().optional(),
  state: z.string().nullish(),
  mimeType: z.string().optional(),
  size: z.int().optional(),
  similarCids: z.array(z.string()).meta({ description: 'Recorded content that looks like this content' }),
});

/** The service checks the role, and names the allowed roles in its error. */
const { anyOf, description } = z.toJSONSchema(entityRoleSchema);

const performer = z.strictObject({
  role: z.string().meta({ anyOf, description }),
  name: z.string().optional(),
  id: z.string().optional().meta({ description: 'An entity id of your own, such as studio:ann' }),
});

export function registerRecord(server: McpServer, deps: ToolDeps): void {
  const inputSchema = toolInput({
    ...contentFields(deps),
    by: performer.meta({ description: 'Maker of the content; send a name or an id' }),
    type: actionTypeSchema.default('create').meta({
      description:
        'create: the maker made it. reference: it is from elsewhere. generate: it was made with an AI',
    }),
    inputCids: z.array(z.string()).optional().meta({ description: 'CIDs of the sources of the content' }),
    aiTool: aiToolSchema.optional().meta({ description: 'The AI model that was used' }),
    resourceType: z.string().optional().meta({ description: 'image, text, audio, video, ...' }),
    sessionId: z.string().optional(),
    title: z.string().optional().meta({ description: 'Title of the content; default: its file name' }),
  });
  const description =
    'Records content, its maker and its sources. The answer has the CID of the content; name it as an input later.';
  server.registerTool(
    'record',
    {
      title: 'Record content',
      description,
      inputSchema,
      outputSchema: output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ by, type, inputCids, aiTool, resourceType, sessionId, title, ...given }) =>
      answer(async () => {
        const { content, fileName } = await readGiven(deps, given);
        const action = { type, ...(inputCids && { inputCids }), ...(aiTool && { aiTool }) };
        const activity = { entity: by, action, resourceType, sessionId, title } as ActivityRequest;
        return record(deps, { content, fileName, activity });
      }),
  );
}

async function record(
  { client }: ToolDeps,
  { content, fileName, activity }: Awaited<ReturnType<typeof readGiven>> & { activity: ActivityRequest },
): Promise<ToolFinding> {
  try {
    const { cid, actionId, entityId, state, mimeType, size, matches } = await client.file(content, activity, {
      fileName,
    });
    return {
      says: `Recorded as ${cid} (${mimeType}, ${size} bytes) by ${entityId}; action ${actionId}.`,
      data: {
        cid,
        actionId,
        alreadyRecorded: false,
        entityId,
        state,
        mimeType,
        size,
        similarCids: matches.map((match) => match.cid),
      },
    };
  } catch (error) {
    const known = duplicateOf(error);
    if (known === undefined) throw error;
    const { cid, actionId } = known;
    return {
      says: `Exactly these bytes are already recorded, as ${cid} by action ${actionId}; nothing was recorded now. Use the CID as an input.`,
      data: { cid, actionId, alreadyRecorded: true, similarCids: [] },
    };
  }
}
