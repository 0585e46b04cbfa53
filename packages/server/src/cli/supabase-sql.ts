import { readConfig } from '../config.js';
import { writeInstall } from '../platform/db/supabase/write-install.js';

/** `colophon supabase-sql`: prints what is to be run in a Supabase project that holds the records. */
export function supabaseSqlCommand(): void {
  process.stdout.write(writeInstall(readConfig({}).version));
}
