import { type Distribution, policySchema } from '@colophon/model';
import type { DistributionQuery } from '@colophon/sdk';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { contentFields, readCid, toolInput } from './given-content.js';
import { answer, quote, type ToolFinding } from './tool-answer.js';
import type { ToolDeps } from './tool-deps.js';

const input = {
  cid: z.string().optional(),
  policy: policySchema.optional(),
  total: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Units to distribute; default 10,000 (basis points)' }),
};

const share = z.object({ entityId: z.string(), share: z.int(), wallet: z.string().optional() });
const output = z.object({ cid: z.string(), policy: policySchema, total: z.int(), shares: z.array(share) });

const ONCE = 'Send exactly one of these: a cid, or the content.';

export function registerShares(server: McpServer, deps: ToolDeps): void {
  server.registerTool(
    'shares',
    {
      title: 'Compute the shares of a content',
      description:
        'Returns the share of each maker of a content, computed over its history. The shares add up exactly to the total. Nothing is paid.',
      inputSchema: toolInput({ ...contentFields(deps), ...input }),
      outputSchema: output,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ policy, total, ...given }) =>
      answer(async () => {
        const cid = await readCid(deps, given, ONCE);
        const query = { ...(policy && { policy }), ...(total && { total }) } satisfies DistributionQuery;
        return describe(await deps.client.distributions.get(cid, query));
      }),
  );
}

function describe({ cid, policy, total, shares }: Distribution): ToolFinding {
  const listed = shares.map(({ entityId, share, wallet }) => ({
    entityId,
    share,
    ...(wallet && { wallet }),
  }));
  const parts = listed.map(({ entityId, share }) => `${quote(entityId)} ${share}`).join(', ');
  const says = listed.length === 0 ? `Nobody is credited for ${cid}.` : `Of ${total} for ${cid}: ${parts}.`;
  return { says, data: { cid, policy, total, shares: listed } };
}
