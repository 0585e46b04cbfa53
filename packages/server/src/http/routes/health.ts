import { z } from 'zod';
import { shareRecent } from '../../platform/work/share-recent.js';
import { type App, type AppDeps, PROBE_AGE_MS, type Readiness } from '../app.js';

const CHECK_TIMEOUT_MS = 2_000;

const readySchema = z
  .object({
    status: z.enum(['ready', 'not ready']),
    checks: z.record(z.string(), z.string()),
  })
  .meta({ id: 'Readiness' });

/**
 * `/healthz`: the process responds. `/readyz`: the service can work. Orchestrators call both, so neither has a rate
 * limit, and requests within a second share the checks of `/readyz`.
 */
export function healthRoutes(
  app: App,
  { readiness, probeAgeMs = PROBE_AGE_MS }: Pick<AppDeps, 'readiness' | 'probeAgeMs'>,
): void {
  const readChecks = shareRecent(() => runChecks(readiness), probeAgeMs);
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.get(
    '/healthz',
    {
      schema: {
        operationId: 'getLiveness',
        tags: ['service'],
        summary: 'Whether the process responds',
        security: [],
        response: { 200: z.object({ status: z.literal('ok') }) },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      config: { cors: false },
      schema: {
        operationId: 'getReadiness',
        tags: ['service'],
        summary: 'Whether the service is ready, with the state of each part',
        security: [],
        response: { 200: readySchema, 503: readySchema },
      },
    },
    async (_request, reply) => {
      const checks = { ...(await readChecks()), ...(closing ? { service: 'failed: closing' } : {}) };
      const ready = !Object.values(checks).some((said) => said.startsWith('failed'));
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
    },
  );
}

async function runChecks(readiness: Readiness): Promise<Record<string, string>> {
  const results = await Promise.all(
    Object.entries(readiness).map(async ([name, check]) => [name, await outcomeOf(check)] as const),
  );
  return Object.fromEntries(results);
}

async function outcomeOf(check: () => Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('failed: no response in time'), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : 'unknown'}`;
  } finally {
    clearTimeout(timer);
  }
}
