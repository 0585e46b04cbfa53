import { contentIdSchema, type Shares } from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { readDistributions, readShares, shareByWeight } from '../../records/read/read-distribution.js';
import type { App, AppDeps } from '../app.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf } from '../wire/error-schemas.js';
import { wholeNumberQuery } from '../wire/list-query.js';
import { projectOf } from '../wire/principal-of.js';
import { toReference } from './record-schemas.js';

const MAX_DEPTH = 50;
const MAX_CIDS = 100;

const entrySchema = z.object({
  entityId: z.string(),
  bps: z.int().positive(),
  percentage: z.string(),
  payment: z.object({ address: z.string() }).optional(),
});
const sharedSchema = { entries: z.array(entrySchema), totalBps: z.int() };
const distributionSchema = z
  .object({
    resourceRef: z.object({ ref: z.string(), scheme: z.literal('cid') }),
    ...sharedSchema,
    metadata: z.object({ algorithmVersion: z.string() }),
  })
  .meta({ id: 'PublishedDistribution' });
const previewSchema = z
  .object({
    distributions: z.array(z.object({ cid: z.string(), ...sharedSchema })),
    summary: z.object({ resourcesProcessed: z.int(), uniqueContributors: z.int() }),
    combined: z.object(sharedSchema).optional(),
  })
  .meta({ id: 'PublishedPreview' });

const bodySchema = z
  .object({
    cids: z.array(contentIdSchema).min(1).max(MAX_CIDS),
    combine: z.boolean().default(false),
    depth: z.int().min(1).max(MAX_DEPTH).optional(),
  })
  .meta({ id: 'PublishedPreviewRequest' });

/** With `depth`, the contributors of the sources of a content also get shares. */
export function distributionRoutes(app: App, deps: Pick<AppDeps, 'records'>): void {
  getOne(app, deps);
  preview(app, deps);
}

function getOne(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.get(
    '/distribution/:cid',
    {
      schema: {
        operationId: 'compatGetDistribution',
        summary: 'The shares of the contributors of a content, in basis points',
        params: z.object({ cid: contentIdSchema }),
        querystring: z.object({ depth: wholeNumberQuery(1, MAX_DEPTH).optional() }),
        response: { 200: distributionSchema, ...errorsOf('InvalidField', 'NotFound') },
      },
    },
    async (request, reply) => {
      const { cid } = request.params;
      const asked = { cid, ...toTerms(request.query.depth), signal: signalOfCaller(reply) };
      const distribution = await readShares(records, projectOf(request), asked);
      if (distribution === undefined) throw new ServiceError('NotFound', `Resource not found: ${cid}`);
      return {
        resourceRef: { ref: cid, scheme: toReference(cid).scheme },
        ...toShared(distribution),
        metadata: { algorithmVersion: 'largest-remainder-v1' },
      };
    },
  );
}

function preview(app: App, { records }: Pick<AppDeps, 'records'>): void {
  app.post(
    '/distribution/preview',
    {
      schema: {
        operationId: 'compatPreviewDistribution',
        summary: 'The shares of the contributors of several contents; unknown contents are skipped',
        body: bodySchema,
        response: {
          200: previewSchema,
          ...errorsOf('InvalidField', 'ValidationError', 'Unsupported', 'PayloadTooLarge'),
        },
      },
    },
    async (request, reply) => {
      const { cids, combine, depth } = request.body;
      const [projectId, signal] = [projectOf(request), signalOfCaller(reply)];
      const found = await readDistributions(records, projectId, { cids, ...toTerms(depth), signal });
      const distributions = found.map(({ cid, distribution }) => ({ cid, ...toShared(distribution) }));
      const entries = distributions.flatMap(({ entries }) => entries);
      const weights = entries.map(({ entityId, bps: weight }) => ({ entityId, weight }));
      const combined =
        combine && weights.length > 0
          ? await shareByWeight(records, projectId, { weights, signal })
          : undefined;
      return {
        distributions,
        summary: {
          resourcesProcessed: distributions.length,
          uniqueContributors: new Set(entries.map(({ entityId }) => entityId)).size,
        },
        ...(combined === undefined ? {} : { combined: toShared(combined) }),
      };
    },
  );
}

function toTerms(depth: number | undefined) {
  return depth === undefined
    ? ({ policy: 'direct' } as const)
    : ({ policy: 'all-ancestors', depth } as const);
}

function toShared({ shares, allocated }: Shares) {
  const entries = shares.filter(({ share }) => share > 0);
  return {
    entries: entries.map(({ entityId, share: bps, wallet: address }) => ({
      entityId,
      bps,
      percentage: `${(bps / 100).toFixed(2)}%`,
      ...(address === undefined ? {} : { payment: { address } }),
    })),
    totalBps: allocated,
  };
}
