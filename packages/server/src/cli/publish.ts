import { parseArgs } from 'node:util';
import type { Publication, PublicationRequest } from '@colophon/model';
import { openClient, requireClientConfig } from './open-client.js';
import { print, toTable } from './print.js';
import { requireName } from './subcommands.js';
import { UsageError } from './usage.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

const OPTIONS = {
  title: { type: 'string' },
  withhold: { type: 'string', multiple: true },
  hide: { type: 'string', multiple: true },
  'hide-all': { type: 'boolean' },
  titles: { type: 'boolean' },
  picture: { type: 'boolean' },
  license: { type: 'boolean' },
  days: { type: 'string' },
  list: { type: 'boolean' },
  revoke: { type: 'string' },
  restore: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export async function publishCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options: OPTIONS });
  const { list, revoke, restore, json, ...options } = values;
  const [cid, ...rest] = positionals;
  const ways = [cid, list, revoke, restore].filter((way) => way !== undefined);
  if (ways.length !== 1 || rest.length > 0)
    throw new UsageError(
      'Run `colophon publish` with one of: a CID, `--list`, `--revoke <id>` or `--restore <id>`.',
    );
  const [unused] = Object.keys(options);
  if (cid === undefined && unused !== undefined)
    throw new UsageError(`--${unused} applies only with the CID of a content to publish.`);
  const body = toRequest(cid ?? '', options);
  const config = requireClientConfig();
  const { publications } = openClient(config);
  if (list) {
    const page = await publications.list({ limit: 200 });
    return print(page, { json, describe: (listed) => describeAll(listed.publications) });
  }
  if (revoke !== undefined) {
    const ended = await publications.revoke(requireName(revoke));
    return print(ended, {
      json,
      describe: () =>
        'The publication is revoked. For one minute, `colophon publish --restore` makes it public again.\n',
    });
  }
  if (restore !== undefined) {
    const restored = await publications.restore(requireName(restore));
    return print(restored, { json, describe: ({ path }) => `${new URL(path, config.url)}\n` });
  }
  const made = await publications.create(body);
  print(made, { json, describe: ({ path }) => `${new URL(path, config.url)}\n` });
}

interface PublishOptions {
  title?: string | undefined;
  withhold?: string[] | undefined;
  hide?: string[] | undefined;
  'hide-all'?: boolean | undefined;
  titles?: boolean | undefined;
  picture?: boolean | undefined;
  license?: boolean | undefined;
  days?: string | undefined;
}

/** Checks only `--withhold none` and `--days`. The service rejects other invalid values. */
function toRequest(
  cid: string,
  { title, withhold, hide, 'hide-all': hideAll, titles, picture, license, days }: PublishOptions,
): PublicationRequest {
  const withholdsNothing = withhold?.includes('none') ?? false;
  if (withholdsNothing && withhold?.length !== 1)
    throw new UsageError('--withhold none cannot be combined with other values.');
  return {
    cid,
    ...(title === undefined ? {} : { title }),
    ...(withhold === undefined
      ? {}
      : { withhold: (withholdsNothing ? [] : withhold) as PublicationRequest['withhold'] }),
    ...(hideAll ? { hiddenEntities: 'all' } : hide === undefined ? {} : { hiddenEntities: hide }),
    ...(titles ? { titles } : {}),
    ...(picture ? { picture } : {}),
    ...(license ? { license } : {}),
    ...(days === undefined
      ? {}
      : { expiresAt: new Date(Date.now() + readDays(days) * DAY_MS).toISOString() }),
  };
}

function readDays(days: string): number {
  const count = /^\d{1,5}$/.test(days) ? Number(days) : 0;
  if (count < 1 || count > MAX_DAYS) throw new UsageError(`--days takes 1 to ${MAX_DAYS}.`);
  return count;
}

function describeAll(publications: Publication[]): string {
  return toTable(publications, [
    { head: 'ID', of: ({ id }) => id },
    { head: 'STATE', of: stateOf },
    { head: 'UNTIL', of: ({ expiresAt }) => expiresAt },
    { head: 'CID', of: ({ cid }) => cid },
    { head: 'TITLE', of: ({ title }) => title },
    { head: 'VIEWS', of: ({ views }) => String(views) },
  ]);
}

function stateOf({ revokedAt, expiresAt }: Publication): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && new Date(expiresAt) <= new Date() ? 'expired' : 'public';
}
