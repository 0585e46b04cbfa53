// Runs the tests. `quick` runs tests that finish within minutes without setup, `all` runs all tests, and `long`
// runs all tests with more rounds. Passes further arguments to vitest, such as the files to run.
import { run } from './processes.mjs';

// Each mode sets both variables, so that variables of the shell have no effect.
const MODES = {
  quick: { TESTS: 'quick', LONG_TESTS: '' },
  all: { TESTS: '', LONG_TESTS: '' },
  long: { TESTS: '', LONG_TESTS: '1' },
};

const [mode, ...rest] = process.argv.slice(2);
if (MODES[mode] === undefined)
  throw new Error(`Unknown mode ${mode}. Use one of: ${Object.keys(MODES).join(', ')}.`);
process.exitCode = await run(['node_modules/.bin/vitest', 'run', ...rest], {
  env: { ...process.env, ...MODES[mode] },
});
