import { readConfig } from '../config.js';

/** `colophon doctor`: prints the variables in effect, secrets masked; every problem when one is wrong. */
export function doctorCommand(): void {
  const { version, effective, notActedOn } = readConfig();
  const rows = [['version', version], ...Object.entries(effective)];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  for (const [name = '', value = ''] of rows) {
    const note = notActedOn.includes(name) ? '   (no effect in this version)' : '';
    process.stdout.write(`${name.padEnd(width)}  ${value}${note}\n`);
  }
}
