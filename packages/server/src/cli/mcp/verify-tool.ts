import type { FileVerdict } from '@colophon/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentFields, readCid, toolInput } from './given-content.js';
import { answer, type ToolFinding } from './tool-answer.js';
import type { ToolDeps } from './tool-needs.js';

const output = z.object({
  verified: z.boolean(),
  cid: z.string().meta({ description: 'Computed from the bytes, or as given' }),
  reason: z.string().optional().meta({ description: 'Why it is not verified' }),
  actionId: z.string().optional(),
  performedBy: z.string().optional(),
  timestamp: z.string().optional(),
  trust: z
    .enum(['given', 'service'])
    .optional()
    .meta({ description: 'Whose key of the log was believed: the one given, or what the service says' }),
});

const REASONS = {
  notRecorded: 'this project knows nothing of it, or a byte was changed since',
  onlyNamed: 'an action names it as its input, but nobody recorded the content itself',
  receiptRefused: 'the receipt of its action does not hold',
  otherRecord: 'the receipt is of another record',
} as const;

const ONCE = 'Give the content once: itself, or its cid.';

/** `verify`: checks by its receipt that exactly this content is recorded. */
export function registerVerify(server: McpServer, deps: ToolDeps): void {
  const inputSchema = toolInput({
    ...contentFields(deps),
    cid: z.string().optional().meta({
      description:
        'Instead of the content: whether content of this CID is recorded. That bytes have it is not checked',
    }),
    trustedLog: z
      .string()
      .optional()
      .meta({ description: "The log's key as you know it; without one the service's own word is taken" }),
  });
  server.registerTool(
    'verify',
    {
      title: 'Verify content',
      description:
        'Tells whether this very content, byte for byte, or content of this CID, is recorded: the CID of content is computed here, and the receipt of its action is checked against the log.',
      inputSchema,
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ trustedLog, ...given }) =>
      answer(async () => {
        const cid = await readCid(deps, given, ONCE);
        const options = trustedLog === undefined ? {} : { trustedLog };
        return describe(await deps.client.verifyCid(cid, options));
      }),
  );
}

function describe(verdict: FileVerdict): ToolFinding {
  const { verified, cid } = verdict;
  if (!verdict.verified) {
    const { reason } = verdict;
    return { says: `Not verified: ${REASONS[reason]} (${cid}).`, data: { verified, cid, reason } };
  }
  const {
    action: { id: actionId, type, performedBy, timestamp },
    trust,
  } = verdict;
  const whose = trust === 'given' ? 'the key you gave' : "the service's own word for its key";
  return {
    says: `Verified: ${cid} is recorded by ${performedBy} (${type}, ${timestamp}), and the log holds that, by ${whose}.`,
    data: { verified, cid, actionId, performedBy, timestamp, trust },
  };
}
