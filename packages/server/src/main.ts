import { describeMissingPart } from './cli/missing-part.js';
import { serve } from './cli/serve.js';
import { ConfigError, readConfig } from './config.js';
import { makeFilesPrivate } from './platform/files/private-files.js';

makeFilesPrivate();
try {
  await serve(readConfig());
} catch (error) {
  process.stderr.write(`Colophon did not start. ${describeMissingPart(error) ?? describe(error)}\n`);
  process.exit(error instanceof ConfigError ? 2 : 1);
}

/** Shows no stack, because most start errors are errors of the environment, such as a port in use. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} ${describe(error.cause)}`;
}
