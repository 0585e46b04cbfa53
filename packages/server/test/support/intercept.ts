import { vi } from 'vitest';
import type { Database } from '../../src/platform/db/database.js';

/**
 * Runs `act` in place of each matching statement outside of transactions, until `vi.restoreAllMocks()`. Each matching
 * statement adds its text to the returned list.
 */
export function intercept(
  db: Database,
  text: RegExp,
  act: (run: () => Promise<unknown[]>) => Promise<unknown[]>,
): string[] {
  const seen: string[] = [];
  const original = db.query.bind(db);
  vi.spyOn(db, 'query').mockImplementation((statement: string, parameters?: readonly unknown[]) => {
    const run = () => original<never>(statement, parameters);
    if (!text.test(statement)) return run();
    seen.push(statement);
    return act(run) as Promise<never[]>;
  });
  return seen;
}
