import { parseArgs } from 'node:util';
import type { Distribution } from '@colophon/model';
import type { DistributionQuery } from '@colophon/sdk';
import { openClient } from './open-client.js';
import { print, toTable } from './print.js';
import { requireOne, toNumber, withoutAbsent } from './subcommands.js';

export async function sharesCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      policy: { type: 'string' },
      total: { type: 'string' },
      decay: { type: 'string' },
      depth: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const { policy, decay, json } = values;
  const cid = requireOne(positionals, 'shares <cid>');
  const query = {
    policy,
    decay,
    total: toNumber('total', values.total),
    depth: toNumber('depth', values.depth),
  };
  const distribution = await openClient().distributions.get(cid, withoutAbsent(query) as DistributionQuery);
  print(distribution, { json, describe: describeShares });
}

function describeShares({ shares, total, policy }: Distribution): string {
  if (shares.length === 0) return 'Nobody is credited for this content.\n';
  const table = toTable(shares, [
    { head: 'WHO', of: ({ entityId }) => entityId },
    { head: 'SHARE', of: ({ share }) => share },
    { head: 'WALLET', of: ({ wallet }) => wallet },
  ]);
  return `${table}\nof ${total}, by ${policy}\n`;
}
