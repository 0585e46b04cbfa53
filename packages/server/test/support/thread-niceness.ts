import { readdirSync, readFileSync } from 'node:fs';

/** By thread id: field 19 of `stat` (proc(5)). Only on Linux. */
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
