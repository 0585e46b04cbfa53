export {
  type ComplianceReport,
  complianceReportSchema,
  type MarkedContent,
  type MarkedContents,
  markedContentSchema,
  markedPageSchema,
  type ReportedLayer,
  type Robustness,
  type UnmarkedContent,
} from './compliance-report.js';
export { type Markup, markup, type Piece } from './markup.js';
export { renderComplianceReport } from './render-report.js';
export { REPORT_STYLE } from './report-style.js';
export { robustnessOfMethods } from './robustness.js';
export { unmeasuredMark } from './unmeasured-mark.js';
