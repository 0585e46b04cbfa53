import type { FileVerdict } from '@colophon/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentFields, readCid, toolInput } from './given-content.js';
import { answer, type ToolFinding } from './tool-answer.js';
import type { ToolDeps } from './tool-deps.js';

const output = z.object({
  verified: z.boolean(),
  cid: z.string().meta({ description: 'CID that you sent, or that was computed from the content' }),
  reason: z.string().optional().meta({ description: 'Why the content is not verified' }),
  actionId: z.string().optional(),
  performedBy: z.string().optional(),
  timestamp: z.string().optional(),
  trust: z
    .enum(['given', 'service'])
    .optional()
    .meta({ description: 'Source of the log key that was used: the caller, or the service' }),
});

const REASONS = {
  notRecorded: 'this project has no record of it, or a byte was changed since',
  onlyNamed: 'an action names it as its input, but nobody recorded the content itself',
  receiptRefused: 'the receipt of its action does not verify',
  otherRecord: 'the receipt is of another record',
} as const;

const ONCE = 'Send exactly one of these: the content, or its cid.';

export function registerVerify(server: McpServer, deps: ToolDeps): void {
  const inputSchema = toolInput({
    ...contentFields(deps),
    cid: z.string().optional().meta({
      description:
        'Instead of the content: checks that content of this CID is recorded. It does not check any bytes',
    }),
    trustedLog: z.string().optional().meta({
      description:
        'Public key of the log, from a source that you trust; without it the key from the service is used',
    }),
  });
  server.registerTool(
    'verify',
    {
      title: 'Verify content',
      description:
        'Verifies that this exact content, or content of this CID, is recorded: computes the CID of the content locally, and checks the receipt of its action against the log.',
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
  const whose = trust === 'given' ? 'the key that you sent' : 'the key from the service';
  return {
    says:
      `Verified: ${cid} is recorded by ${performedBy} (${type}, ${timestamp}), and the log contains this record ` +
      `(checked with ${whose}).`,
    data: { verified, cid, actionId, performedBy, timestamp, trust },
  };
}
