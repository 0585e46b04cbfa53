import { serve } from './cli/serve.js';
import { ConfigError, readConfig } from './config.js';

try {
  await serve(readConfig());
} catch (error) {
  const message = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : error;
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
