import type { Call, CallTerms } from './calls.js';

export function complianceCalls(
  { world }: CallTerms,
  commonErrors: (target: string) => Call[],
): Record<string, Call[]> {
  const report = '/v1/compliance/report';
  const marks = '/v1/compliance/marks';
  return {
    'GET /v1/compliance/report': [
      { status: 200, target: report },
      { status: 200, target: `${report}?from=2026-01-01&to=2026-07-01T00:00:00Z&limit=1` },
      { status: 400, target: `${report}?from=2026-07-01&to=2026-01-01` },
      ...commonErrors(report).filter(({ status }) => status !== 406),
      { status: 406, target: report, headers: { accept: 'image/png' } },
    ],
    'GET /v1/compliance/marks': [
      { status: 200, target: marks },
      {
        status: 200,
        target: `${marks}?from=2026-01-01&limit=1&cursor=${world.cursors.marks}`,
      },
      { status: 400, target: `${marks}?cursor=${world.cursors.actions}` },
      ...commonErrors(marks),
    ],
  };
}
