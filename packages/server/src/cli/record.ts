import { parseArgs } from 'node:util';
import type { ActivityRequest, ActivityResult } from '@colophon/model';
import { openClient } from './open-client.js';
import { fileNameOf, openFile } from './open-file.js';
import { print } from './print.js';
import { readSigner } from './signing-key.js';
import { withoutAbsent } from './subcommands.js';
import { UsageError } from './usage.js';

const OPTIONS = {
  role: { type: 'string', default: 'human' },
  name: { type: 'string' },
  entity: { type: 'string' },
  type: { type: 'string', default: 'create' },
  input: { type: 'string', multiple: true },
  tool: { type: 'string' },
  'tool-version': { type: 'string' },
  session: { type: 'string' },
  note: { type: 'string' },
  'resource-type': { type: 'string' },
  'file-name': { type: 'string' },
  title: { type: 'string' },
  'no-title': { type: 'boolean' },
  sign: { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof readValues>['values'];

export async function recordCommand(argv: string[]): Promise<void> {
  const { values, positionals } = readValues(argv);
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Run `colophon record <file>`.');
  const activity = toActivity(values);
  const signer = values.sign === undefined ? undefined : await readSigner(values.sign);
  const client = openClient();
  const fileName = values['file-name'] ?? fileNameOf(file);
  const content = (await openFile(file)).read('sending');
  const answer = await client.file(content, activity, { fileName, ...withoutAbsent({ signer }) });
  print(answer, { json: values.json, describe: describeResult });
}

function readValues(argv: string[]) {
  return parseArgs({ args: argv, allowPositionals: true, options: OPTIONS });
}

/** Checks which options occur together, and the form of `--tool`. The service rejects other invalid values. */
function toActivity({ name, entity: id, role, ...values }: Values): ActivityRequest {
  if (name === undefined && id === undefined) throw new UsageError('Name the maker with --name or --entity.');
  if (values.sign !== undefined && id === undefined)
    throw new UsageError('--sign needs --entity: the signature names who signed.');
  if (values.title !== undefined && values['no-title'])
    throw new UsageError('Use --title or --no-title, but not both.');
  const title = values['no-title'] ? null : values.title;
  const { type, input: inputCids, session: sessionId, note, 'resource-type': resourceType } = values;
  const aiTool = toAiTool(values.tool, values['tool-version']);
  return withoutAbsent({
    entity: withoutAbsent({ id, name, role }),
    action: withoutAbsent({ type, inputCids, aiTool }),
    resourceType,
    sessionId,
    attribution: note === undefined ? undefined : { note },
    title,
  }) as ActivityRequest;
}

/** Parses `<provider>/<model>`. */
function toAiTool(tool: string | undefined, version: string | undefined) {
  if (tool === undefined && version === undefined) return undefined;
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(tool ?? '') ?? [];
  if (provider === undefined || model === undefined)
    throw new UsageError(
      'Write --tool as <provider>/<model>, such as openai/gpt-5. Use --tool-version only together with --tool.',
    );
  return { provider, model, ...withoutAbsent({ version }) };
}

function describeResult({ cid, actionId, entityId, mimeType, size, state }: ActivityResult): string {
  return `${cid}

${state} by ${entityId}; ${mimeType}, ${size} bytes; action ${actionId}
`;
}
