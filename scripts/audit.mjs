// Asks the npm registry for known vulnerabilities in the dependencies of the service: `npm run audit`. Exit codes:
// 1 for a vulnerability of severity high or above that audit-allowed.json does not allow, 2 when the registry does not
// answer, otherwise 0.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAudit, NOT_CHECKED } from './judge-audit.mjs';
import { npm, ROOT, runQuietly } from './processes.mjs';

/** Returns the result of the registry, without the advisories that `audit-allowed.json` allows. */
export async function audit() {
  // A short timeout, so that the check ends quickly without a network.
  const options = ['--fetch-retries=0', '--fetch-timeout=20000'];
  const { stdout } = await runQuietly(
    npm('audit', '--omit=dev', '-w', 'packages/server', '-w', 'packages/parts', '--json', ...options),
  );
  const allowed = JSON.parse(readFileSync(join(ROOT, 'scripts/audit-allowed.json'), 'utf8'));
  return judgeAudit(stdout, { allowed, today: new Date().toISOString().slice(0, 10) });
}

if (process.argv[1] === import.meta.filename) {
  const { outcome, says } = await audit();
  console.log(says.join('\n'));
  process.exitCode = { none: 0, found: 1, [NOT_CHECKED]: 2 }[outcome];
}
