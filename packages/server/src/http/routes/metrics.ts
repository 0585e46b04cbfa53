import type { FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { countAnchors } from '../../anchors/anchors.sql.js';
import { ServiceError } from '../../errors.js';
import { shareRecent } from '../../platform/work/share-recent.js';
import { type App, type AppDeps, PROBE_AGE_MS } from '../app.js';
import { countFailure } from '../middleware/limit-requests.js';
import type { JsonReader } from '../wire/json-reader.js';
import { countSignedHeads } from './log-metrics.js';
import { registerDetectionMetrics, registerMarkMetrics } from './mark-metrics.js';
import { countConnections, countWork } from './work-metrics.js';

/** Interval at which the delay of the event loop is measured. Each measurement wakes an idle process. */
const LAG_PRECISION_MS = 50;

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface Metrics {
  registry: Registry;
  duration: Histogram<'method' | 'route' | 'status'>;
  refused: Counter<'bound'>;
}

export function createMetrics(deps: AppDeps): Metrics {
  const { changesHeard, credentials, integrity, delivered } = deps;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  const duration = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Duration of HTTP requests, by method, route template and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  registerMarkMetrics(registry, deps);
  registerDetectionMetrics(registry, deps);
  countPasses(registry, credentials.times);
  countReads(registry, deps);
  countWork(registry, deps);
  countConnections(registry, deps);
  countAnchoring(registry, deps);
  countWitnesses(registry, deps);
  countSignedHeads(registry, deps);
  countAnswers(registry, deps);
  countSignatures(registry, deps);
  countRefusedJson(registry, deps.json);
  addIntegrityMetrics(registry, integrity);
  new Counter({
    name: 'colophon_control_changes_heard_total',
    help: 'How often this node learned of a possible change of keys or projects, by source: listen (NOTIFY) or poll',
    labelNames: ['by'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [by, count] of Object.entries(changesHeard)) this.inc({ by }, count);
    },
  });
  new Counter({
    name: 'colophon_webhook_attempts_total',
    help: 'Attempts of this process to deliver events to webhooks (delivered, failed); stopped: webhooks that it disabled; missed: events that it did not store because of MAX_PENDING_DELIVERIES or MAX_PENDING_DELIVERY_BYTES',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of delivered) this.inc({ outcome }, count);
    },
  });
  const refused = new Counter({
    name: 'colophon_requests_refused_total',
    help: 'Requests and connections that were rejected at a limit, by the variable or project limit that sets it; `pipelining`: more than 16 requests without a response on a connection',
    labelNames: ['bound'] as const,
    registers: [registry],
  });
  return { registry, duration, refused };
}

export function measureRequests(app: App, { registry, duration, refused }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    duration.observe(toLabels(request, reply.statusCode), reply.elapsedTime / 1000);
    if (request.metBound !== undefined) refused.inc({ bound: request.metBound });
    done();
  });
  app.addHook('onClose', async () => registry.clear());
}

/** All other methods share the series `other`. */
const COUNTED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
/**
 * A caller without a key can cause these statuses on every route, so they share one series for each method and status.
 */
const REFUSALS = new Set([401, 405, 429]);

/**
 * Groups some values, because a caller without a key can send every method to every path, and each combination of
 * labels is a series.
 */
function toLabels({ method, routeOptions }: FastifyRequest, status: number) {
  return {
    method: COUNTED.has(method) ? method : 'other',
    route: REFUSALS.has(status) ? 'refused' : (routeOptions.url ?? 'unknown'),
    status,
  };
}

/**
 * `GET /metrics` in the Prometheus text format. Writing the text takes milliseconds of the main thread, so requests
 * within a second share it.
 */
export function metricsRoute(
  app: App,
  deps: Pick<AppDeps, 'probeAgeMs' | 'management' | 'limits'>,
  { registry }: Metrics,
): void {
  const write = shareRecent(
    async () => Buffer.from(await registry.metrics()),
    deps.probeAgeMs ?? PROBE_AGE_MS,
  );
  app.get('/metrics', { schema: { hide: true }, config: { cors: false } }, async (request, reply) => {
    if (deps.management.isMetricsToken?.(request.headers.authorization) === false) {
      await countFailure(deps.limits, request, reply);
      throw new ServiceError('Unauthorized', 'The token of /metrics is absent or wrong.', {
        headers: { 'www-authenticate': 'Bearer' },
        recovery: 'Send `Authorization: Bearer <METRICS_TOKEN>`.',
      });
    }
    return reply.type(registry.contentType).send(await write());
  });
}

function countAnchoring(
  registry: Registry,
  { anchoring, records }: Pick<AppDeps, 'anchoring' | 'records'>,
): void {
  if (anchoring === undefined) return;
  new Counter({
    name: 'colophon_anchor_events_total',
    help: 'Anchoring on this node: signed transactions, replacements, reorgs and failures',
    labelNames: ['event'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [event, count] of Object.entries(anchoring.counts)) this.inc({ event }, count);
    },
  });
  new Gauge({
    name: 'colophon_anchors',
    help: 'Anchors that are not final, by state; due: logs that have grown since their last anchor',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const known = await unlessAway(() => countAnchors(records.provenance));
      for (const [state, count] of Object.entries(known ?? {})) this.set({ state }, count);
    },
  });
}

function countWitnesses(registry: Registry, { witnessing }: Pick<AppDeps, 'witnessing'>): void {
  if (witnessing === undefined) return;
  new Gauge({
    name: 'colophon_witnesses',
    help: 'Witnesses by state; silent: the last request of this node failed; answered: all other witnesses',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const silent = witnessing.listSilent().length;
      this.set({ state: 'silent' }, silent);
      this.set({ state: 'answered' }, witnessing.witnesses.length - silent);
    },
  });
}

function countAnswers(registry: Registry, { records: { answers } }: Pick<AppDeps, 'records'>): void {
  new Counter({
    name: 'colophon_answers_total',
    help: 'Cacheable responses about records, from the cache (hit) or from the database (miss)',
    labelNames: ['kept'],
    registers: [registry],
    collect() {
      this.reset();
      const { hits, misses } = answers.counts();
      this.inc({ kept: 'hit' }, hits);
      this.inc({ kept: 'miss' }, misses);
    },
  });
  new Gauge({
    name: 'colophon_answers_kept_bytes',
    help: 'Memory of the cached responses',
    registers: [registry],
    collect() {
      this.set(answers.counts().bytes);
    },
  });
}

function countRefusedJson(registry: Registry, { refused }: JsonReader): void {
  new Counter({
    name: 'colophon_json_refused_total',
    help: 'JSON that was rejected before it was parsed, by the limit that it exceeds',
    labelNames: ['bound'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [bound, count] of Object.entries(refused)) this.inc({ bound }, count);
    },
  });
}

function countSignatures(registry: Registry, { records }: Pick<AppDeps, 'records'>): void {
  const { counts } = records.proofs.checker;
  new Counter({
    name: 'colophon_signature_verifications_total',
    help: 'Signatures of proofs and registrations that this process verified; one proof can need several verifications',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.verifications);
    },
  });
  new Counter({
    name: 'colophon_signatures_unchecked_total',
    help: 'Signatures that were not checked, because their batch already had MAX_PROOF_FAULTS wrong signatures',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.unchecked);
    },
  });
}

function countReads(registry: Registry, { recordReads }: Pick<AppDeps, 'recordReads'>): void {
  if (recordReads === undefined) return;
  new Counter({
    name: 'colophon_record_reads_total',
    help: 'Reads of records by this process, by server: the replica, or the primary when the replica could not answer',
    labelNames: ['from'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [from, count] of Object.entries(recordReads)) this.inc({ from }, count);
    },
  });
}

function countPasses(registry: Registry, { sums }: AppDeps['credentials']['times']): void {
  const count = (name: string, help: string, of: (sum: { count: number; ms: number }) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['pass'],
      registers: [registry],
      collect() {
        this.reset();
        for (const [pass, sum] of sums) this.inc({ pass }, of(sum));
      },
    });
  count('media_passes_total', 'Number of passes over media files, by kind of pass', (sum) => sum.count);
  count('media_pass_seconds_total', 'Wall time of passes over media files, by kind', ({ ms }) => ms / 1000);
}

/** The findings are in the database, so every node reports all of them. */
function addIntegrityMetrics(registry: Registry, { state, checked }: AppDeps['integrity']): void {
  const registers = [registry];
  new Gauge({
    name: 'colophon_audit_last_pass_ended_seconds',
    help: 'Unix time of the end of the last integrity check',
    registers,
    async collect() {
      const known = await unlessAway(state);
      if (known !== undefined) this.set(known.endedAt.getTime() / 1000);
    },
  });
  new Gauge({
    name: 'colophon_audit_mismatches',
    help: 'Findings of the integrity check, by kind and problem',
    labelNames: ['kind', 'problem'],
    registers,
    async collect() {
      this.reset();
      const known = await unlessAway(state);
      for (const { kind, problem, count } of known?.findings ?? []) this.set({ kind, problem }, count);
    },
  });
  new Counter({
    name: 'colophon_audit_checked_total',
    help: 'Items that this process examined in the integrity check, by kind',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      for (const [kind, count] of checked) this.inc({ kind }, count);
    },
  });
}

/** Returns undefined during an outage of the database, so that the other metrics are still reported. */
async function unlessAway<State>(read: () => Promise<State>): Promise<State | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Unavailable') return undefined;
    throw error;
  }
}
