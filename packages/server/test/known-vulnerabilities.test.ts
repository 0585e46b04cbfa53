import { describe, expect, it } from 'vitest';
import { judgeAudit } from '../../../scripts/judge-audit.mjs';

const ADVISORY = 'GHSA-aaaa-bbbb-cccc';
const today = '2026-06-15';

/** The form of npm 10 and 11. */
function report(severity: string): string {
  const via = [
    { name: 'left', severity, title: 'Reads too far', url: `https://github.com/advisories/${ADVISORY}` },
  ];
  const right = { name: 'right', severity, via: ['left'] };
  return JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: { left: { name: 'left', severity, via }, right },
  });
}

const judge = (stdout: string, allowed: object[] = []) => judgeAudit(stdout, { allowed, today });

describe('known vulnerabilities', () => {
  it.each(['high', 'critical'])('of severity %s are found, each once', (severity) => {
    expect(judge(report(severity))).toEqual({
      outcome: 'found',
      says: [`${severity}: left: Reads too far (${ADVISORY})`],
    });
  });

  it.each(['info', 'low', 'moderate'])('of severity %s are accepted', (severity) => {
    expect(judge(report(severity)).outcome).toBe('none');
  });

  it('are accepted with a reason and an end date, and reported after that date', () => {
    const allowed = { advisory: ADVISORY, reason: 'The part is not called.', until: today };
    expect(judge(report('high'), [allowed]).outcome).toBe('none');
    expect(judge(report('high'), [{ ...allowed, reason: '' }]).outcome).toBe('found');
    const late = judge(report('high'), [{ ...allowed, until: '2026-06-14' }]);
    expect([late.outcome, late.says[1]]).toEqual(['found', expect.stringContaining('until 2026-06-14')]);
  });

  it('that no longer occur are reported for removal from the list', () => {
    const { outcome, says } = judge(report('low'), [{ advisory: ADVISORY, reason: 'r', until: today }]);
    expect([outcome, says[0]]).toEqual(['none', expect.stringContaining('Remove it')]);
  });

  it.each([
    ['{"message":"405 Method Not Allowed","statusCode":405}', '405 Method Not Allowed'],
    ['{"error":{"code":"ENOTFOUND"}}', 'no answer'],
    ['', 'no answer'],
    ['<html>', 'no answer'],
  ])('are reported as not checked when the registry sends no advisories: %s', (stdout, why) => {
    const { outcome, says } = judge(stdout);
    expect([outcome, says]).toEqual(['not checked', [expect.stringContaining(`NOT CHECKED`)]]);
    expect(says[0]).toContain(why);
  });
});
