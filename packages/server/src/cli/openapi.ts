import { createContext } from '../compose.js';
import { readConfig } from '../config.js';

/** Needs no configuration. */
export async function openapiCommand(): Promise<void> {
  const context = await createContext(readConfig({ LOG_LEVEL: 'silent' }));
  try {
    process.stdout.write(`${JSON.stringify(context.app.swagger(), null, 2)}\n`);
  } finally {
    await context.close();
  }
}
