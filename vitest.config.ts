import { defineConfig } from 'vitest/config';
import { LeftOutReporter } from './packages/server/test/support/left-out.js';
import { BROWSER_PACKAGE, missingPrograms } from './packages/server/test/support/programs.js';

/** Whether this run is `npm test`, which needs only Node and ends within minutes, and not `npm run test:all`. */
const isQuick = process.env.TESTS === 'quick';

/**
 * `npm test` leaves out suites whose title names another engine than the one in memory. It also leaves out the slowest
 * files, and files that need a browser or a chain, start or kill services as processes, run several nodes, fuzz, or
 * measure costs.
 */
const ENGINE_IN_MEMORY = /^(?!.*\bon (PostgreSQL|Supabase|PGlite in (a directory|DATA_DIR)))/;
const BROWSER = [
  'packages/web/test/browser/**',
  'packages/sdk/test/browser-upload.test.ts',
  'packages/server/test/compat/ui.test.ts',
];
const HEAVY = [
  'packages/server/test/{anchors,compat,contract,faults,nodes,performance,properties}/**',
  'packages/server/test/{backup,cli,cli-*,deploy,examples,first-minute,generated-client,missing-part,packed-command,private-files,readme,start-build}.test.ts',
  'packages/server/test/db/{database,directory-lock,embedded-statements,keep-running,supabase}.test.ts',
  'packages/server/test/http/{abandoned-work,broken-upload,compressed-sound,damaged-media,describe-earlier,embed,embed-identity,exposed,large-hashing,json-bounds,limits,lineage,log-lines,neural-watermark}.test.ts',
  'packages/server/test/http/{long-answers,many-histories,media,pinned-bytes,pinning,project-bounds,proof-checks,proofs,reference-examples,search,search-sound,search-video,soft-bindings,unenforced-proofs,unread-answers}.test.ts',
  'packages/server/test/management/{openid,pinning-settings,revocation,roles,sessions,usage-meter}.test.ts',
  'packages/server/test/media/{media-engine,mutations,network,pdf,thumbnail-memory,workers}.test.ts',
  'packages/server/test/{access/ed25519,blobs/hash-pool,log/corpus,log/corpus-formats,log/proven-bundle,log/python-verifier,log/tlog-client,search/image,search/memory-index,search/read-frames,search/read-samples,search/read-signature,support/ledger,support/postgres}.test.ts',
  'packages/server/test/records/{long-histories,long-proofs,proof-maps}.test.ts',
  'packages/server/test/{tracing/traces,webhooks/webhooks}.test.ts',
  'packages/model/test/{c2pa/fuzz,log/exhaustive}.test.ts',
];

const left = [
  ...(isQuick || missingPrograms().includes(BROWSER_PACKAGE) ? BROWSER : []),
  ...(isQuick ? HEAVY : []),
];

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', ...left],
    ...(isQuick ? { testNamePattern: ENGINE_IN_MEMORY } : {}),
    reporters: ['default', new LeftOutReporter({ isQuick })],
    pool: 'forks',
    maxWorkers: 2,
    // As in `npm start`. With one thread for compilers, the embedded database takes less processor time to start.
    execArgv: ['--v8-pool-size=1'],
    testTimeout: 180_000,
    // Background jobs take longer than the default second on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 240_000,
    // Test files of a project share the modules of their worker, because these take longer to load than many files take
    // to run. The tests of `model` load its sources, and all other tests load its build. Both register the same names
    // of schemas, so they cannot share a worker.
    isolate: false,
    setupFiles: ['packages/server/test/support/restore-globals.ts'],
    projects: [
      { extends: true, test: { name: 'model', include: ['packages/model/test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'service',
          include: ['packages/{sdk,server,web}/test/**/*.test.ts'],
          globalSetup: ['packages/server/test/support/global-setup.ts'],
          setupFiles: ['packages/server/test/support/keep-engine.ts'],
        },
      },
    ],
  },
});
