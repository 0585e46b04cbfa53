import { readConfig } from '../config.js';
import { NotVerifiedError } from './usage.js';

/**
 * `colophon doctor`: prints the variables in effect, secrets masked; every problem when one is wrong. Where a chain
 * is named, asks it whether one can anchor there.
 */
export async function doctorCommand(): Promise<void> {
  const { version, effective, notActedOn, chain } = readConfig();
  const rows = [['version', version], ...Object.entries(effective)];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  for (const [name = '', value = ''] of rows) {
    const note = notActedOn.includes(name) ? '   (no effect in this version)' : '';
    process.stdout.write(`${name.padEnd(width)}  ${value}${note}\n`);
  }
  if (chain === undefined) return;
  const { describeChain } = await import('../anchors/describe-chain.js');
  const { isFit, says } = await describeChain(chain);
  process.stdout.write(`${'anchoring'.padEnd(width)}  ${says}\n`);
  if (!isFit) throw new NotVerifiedError('Nothing can be anchored; recording is not touched by that.');
}
