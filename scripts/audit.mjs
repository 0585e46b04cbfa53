// Asks the registry which vulnerabilities are known in what the service is made of: `npm run audit`. Ends with 0 when
// there are none of severity high or above, 1 when there are, and 2 when the registry did not answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAudit, NOT_CHECKED } from './judge-audit.mjs';
import { npm, ROOT, runQuietly } from './processes.mjs';

/** What the registry knows, judged by `audit-allowed.json`. */
export async function audit() {
  // Offline it is to say so soon.
  const patience = ['--fetch-retries=0', '--fetch-timeout=20000'];
  const { stdout } = await runQuietly(
    npm('audit', '--omit=dev', '-w', 'packages/server', '-w', 'packages/parts', '--json', ...patience),
  );
  const allowed = JSON.parse(readFileSync(join(ROOT, 'scripts/audit-allowed.json'), 'utf8'));
  return judgeAudit(stdout, { allowed, today: new Date().toISOString().slice(0, 10) });
}

if (process.argv[1] === import.meta.filename) {
  const { outcome, says } = await audit();
  console.log(says.join('\n'));
  process.exitCode = { none: 0, found: 1, [NOT_CHECKED]: 2 }[outcome];
}
