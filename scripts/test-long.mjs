// Runs the tests with everything that is too long for every day; arguments go to vitest, such as the files to run.
import { run } from './processes.mjs';

process.exitCode = await run(['node_modules/.bin/vitest', 'run', ...process.argv.slice(2)], {
  env: { ...process.env, LONG_TESTS: '1' },
});
