// `quick` runs tests that finish within minutes without setup, `all` runs all tests, and `long` runs all with more
// rounds. Passes further arguments to vitest.
import { run } from './processes.mjs';

// Each mode sets both variables, so that variables of the shell have no effect.
const MODES = {
  quick: { TESTS: 'quick', LONG_TESTS: '' },
  all: { TESTS: '', LONG_TESTS: '' },
  long: { TESTS: '', LONG_TESTS: '1' },
};

const USAGE = `Usage: node scripts/test.mjs MODE [ARGUMENTS OF VITEST...]

MODE:
  quick  tests that finish within minutes without setup
  all    all tests
  long   all tests, with more rounds`;

const [mode, ...rest] = process.argv.slice(2);
if (mode === '--help' || mode === '-h') {
  console.log(USAGE);
} else if (Object.hasOwn(MODES, String(mode))) {
  process.exitCode = await run(['node_modules/.bin/vitest', 'run', ...rest], {
    env: { ...process.env, ...MODES[mode] },
  });
} else {
  console.error(`Unknown mode \`${mode ?? ''}\`. Use one of: ${Object.keys(MODES).join(', ')}.\n\n${USAGE}`);
  process.exitCode = 2;
}
