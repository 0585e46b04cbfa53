import { readConfig } from '../config.js';
import { writeInstall } from '../platform/db/supabase/write-install.js';

/** Prints the SQL that prepares a Supabase project for the records. */
export function supabaseSqlCommand(): void {
  process.stdout.write(writeInstall(readConfig({}).version));
}
