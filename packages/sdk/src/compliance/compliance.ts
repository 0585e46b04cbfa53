import type { ComplianceReport, MarkedContent, MarkedContents } from '@colophon/model';
import { eachOf, type PageQuery } from '../pages.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** A period of at most 366 days. It selects records by their time of recording. */
export interface PeriodQuery {
  /** Start (included): a date in UTC, or an instant (RFC 3339). Default: 30 days before `to`. */
  from?: string;
  /** End (excluded). Default: now. */
  to?: string;
}

/** A period, and the number of newest marked contents in the report: 1 to 200, default 50. */
export interface ReportQuery extends PeriodQuery {
  limit?: number;
}

/** A period, and a page of its marked contents. */
export type MarkedQuery = PeriodQuery & PageQuery;

/** Facts about the marks of a project, for an auditor. */
export interface Compliance {
  /**
   * Returns the facts about the marks of the project in a period: counts of marked contents by kind, disclosure and
   * layer, the newest marked contents, AI content without marks, findings of the public detector, the signed log, and
   * the measured robustness of the methods. `renderComplianceReport` (`@colophon/model`) renders it as a page to print.
   * The report is not a legal assessment.
   *
   * Throws `ApiError` `InvalidField` for an empty period, and for one of more than 366 days.
   *
   * @example
   * const report = await colophon.compliance.report({ from: '2026-01-01', to: '2026-07-01' });
   * report.period.to; // => '2026-07-01T00:00:00.000Z'
   * report.marks.total; // => 0
   */
  report(query?: ReportQuery, options?: CallOptions): Promise<ComplianceReport>;
  /**
   * Returns a page of the marked contents of a period, newest first, with the state of each layer and the path of the
   * receipt. Throws `ApiError` `InvalidField`.
   *
   * @example
   * const { contents } = await colophon.compliance.marks({ from: '2026-01-01', to: '2026-07-01' });
   * contents; // => []
   */
  marks(query?: MarkedQuery, options?: CallOptions): Promise<MarkedContents>;
  /**
   * Yields all marked contents of a period, newest first. Requests one page at a time. Set `to`, so that every page has
   * the same period.
   *
   * @example
   * let count = 0;
   * for await (const _ of colophon.compliance.allMarks({ from: '2026-01-01', to: '2026-07-01' })) count++;
   * count; // => 0
   */
  allMarks(query?: MarkedQuery, options?: CallOptions): AsyncGenerator<MarkedContent, void, undefined>;
}

export function createCompliance({ ask }: Transport): Compliance {
  const marks: Compliance['marks'] = (query = {}, options) =>
    ask({ method: 'GET', path: '/v1/compliance/marks', query: { ...query } }, options);
  return {
    report: (query = {}, options) =>
      ask({ method: 'GET', path: '/v1/compliance/report', query: { ...query } }, options),
    marks,
    allMarks: (query = {}, options) =>
      eachOf(
        query,
        (page) => marks({ ...query, ...page }, options),
        ({ contents }) => contents,
      ),
  };
}
