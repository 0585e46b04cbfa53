// Asks the npm registry for known vulnerabilities: `npm run audit`. Exits with 1 for a vulnerability of severity high
// or above that audit-allowed.json does not allow, and with 2 when the registry does not answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAudit, NOT_CHECKED } from './judge-audit.mjs';
import { npm, ROOT, runQuietly } from './processes.mjs';

export async function audit() {
  // A short timeout lets the check end quickly without a network.
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
