import { readdirSync, readFileSync } from 'node:fs';

/** Maps the id of a thread to its niceness, field 19 of `stat` (proc(5)). Works only on Linux. */
export function readNiceness(): Map<string, number> {
  const ids = readdirSync('/proc/self/task');
  return new Map(
    ids.map((id) => {
      const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
      // The second field, in parentheses, can contain spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [id, Number(fields[19 - 3])];
    }),
  );
}
