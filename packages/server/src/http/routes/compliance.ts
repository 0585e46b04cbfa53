import { createHash } from 'node:crypto';
import {
  complianceReportSchema,
  markedPageSchema,
  REPORT_STYLE,
  renderComplianceReport,
} from '@colophon/model';
import { z } from 'zod';
import { ServiceError } from '../../errors.js';
import { listMarked } from '../../records/compliance/list-marked.js';
import type { App } from '../app.js';
import { type ReportDeps, readNamesFor, reportCompliance } from '../handlers/compliance-report.js';
import { signalOfCaller } from '../wire/caller-signal.js';
import { errorsOf, readyMade } from '../wire/error-schemas.js';
import { dayOrInstantQuery, pageQuery } from '../wire/list-query.js';
import { preferenceFor } from '../wire/negotiate.js';
import { projectOf } from '../wire/principal-of.js';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;
const MAX_DAYS = 366;
const [JSON_TYPE, HTML_TYPE] = ['application/json', 'text/html'];

/** The HTML report runs no script. The policy allows its style sheet by digest (CSP 3 §2.3.1). */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(REPORT_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const from = dayOrInstantQuery.optional().meta({
  description: `Start of the period (included): a date in UTC, or an instant; default: ${USUAL_DAYS} days before \`to\``,
});
const to = dayOrInstantQuery.optional().meta({
  description: `End of the period (excluded), at most ${MAX_DAYS} days after \`from\`; default: now`,
});
const { limit, cursor } = pageQuery(z.string().max(1024)).shape;
const tags = ['compliance'];

const REPORT_ANSWER = {
  description: 'The report, in the format that Accept prefers',
  content: {
    [JSON_TYPE]: { schema: complianceReportSchema },
    [HTML_TYPE]: { schema: z.string().meta({ description: 'A page without scripts, to print' }) },
  },
};

export function complianceRoutes(app: App, deps: ReportDeps): void {
  getReport(app, deps);
  list(app, deps);
}

function getReport(app: App, deps: ReportDeps): void {
  app.get(
    '/v1/compliance/report',
    {
      config: { alsoSends: [HTML_TYPE] },
      schema: {
        operationId: 'getComplianceReport',
        tags,
        summary:
          'Report the marks, detections and log of the project in a period, and the robustness of the methods',
        querystring: z.strictObject({
          from,
          to,
          limit: limit.meta({
            description: 'Maximum number of marked contents in the report, newest first (default 50)',
          }),
        }),
        response: readyMade({ 200: REPORT_ANSWER, ...errorsOf('InvalidField') }),
      },
    },
    async (request, reply) => {
      const { limit: most, ...ends } = request.query;
      const asked = { period: toPeriod(ends), limit: most, signal: signalOfCaller(reply) };
      const report = await reportCompliance(deps, projectOf(request), asked);
      reply.headers({ vary: 'accept, authorization', 'cache-control': 'private, no-cache' });
      const { accept } = request.headers;
      if (preferenceFor(accept, HTML_TYPE) <= preferenceFor(accept, JSON_TYPE))
        return reply.type(`${JSON_TYPE}; charset=utf-8`).send(JSON.stringify(report));
      const names = await readNamesFor(deps, report);
      reply.header('content-security-policy', PAGE_POLICY);
      return reply.type(`${HTML_TYPE}; charset=utf-8`).send(renderComplianceReport(report, names));
    },
  );
}

function list(app: App, { records, transparencyLog }: ReportDeps): void {
  app.get(
    '/v1/compliance/marks',
    {
      schema: {
        operationId: 'listMarkedContents',
        tags,
        summary: 'List the marked contents of a period, newest first, with the state of each layer',
        querystring: z.strictObject({ from, to, limit, cursor }),
        response: { 200: markedPageSchema, ...errorsOf('InvalidField') },
      },
    },
    (request, reply) => {
      const { limit: most, cursor: place, ...ends } = request.query;
      return listMarked(records, projectOf(request), {
        ...{ period: toPeriod(ends), limit: most, cursor: place, signal: signalOfCaller(reply) },
        isSigned: transparencyLog.signer !== undefined,
      });
    },
  );
}

function toPeriod(ends: { from?: string | undefined; to?: string | undefined }): {
  from: string;
  to: string;
} {
  const end = ends.to ?? new Date().toISOString();
  const start = ends.from ?? new Date(Date.parse(end) - USUAL_DAYS * DAY_MS).toISOString();
  const lengthMs = Date.parse(end) - Date.parse(start);
  if (lengthMs <= 0) throw toPeriodError(`from (${start}) must be before to (${end})`);
  if (lengthMs > MAX_DAYS * DAY_MS)
    throw toPeriodError(`the period from ${start} to ${end} must have at most ${MAX_DAYS} days`);
  return { from: start, to: end };
}

function toPeriodError(message: string): ServiceError {
  return new ServiceError('InvalidField', `The period is not valid: ${message}.`, {
    recovery: `Send from and to as dates or instants such as 2026-08-02T09:30:00Z; request a longer period in parts of at most ${MAX_DAYS} days.`,
    details: [{ path: 'from', message }],
  });
}
