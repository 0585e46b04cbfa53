import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ActivityResult } from '@colophon/model';
import { requireClientConfig } from './client-config.js';
import { type OpenedFile, openFile } from './open-file.js';
import { print } from './print.js';
import { createServiceClient } from './service-client.js';
import { UsageError } from './usage.js';

/** `colophon record <file>`: records a file with who made it. */
export async function recordCommand(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      role: { type: 'string', default: 'human' },
      name: { type: 'string' },
      entity: { type: 'string' },
      type: { type: 'string', default: 'create' },
      input: { type: 'string', multiple: true },
      'resource-type': { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError('Say `colophon record <file>`.');
  const { name, entity: id, role, type, input: inputCids, 'resource-type': resourceType } = values;
  if (name === undefined && id === undefined) throw new UsageError('Say who made it: --name or --entity.');
  const json = { entity: { id, name, role }, action: { type, inputCids }, resourceType };
  const client = createServiceClient(requireClientConfig());
  const stream = toForm({ name: path.basename(file), content: await openFile(file) }, json);
  const answer = (await client.ask('/v1/activity', { stream })) as ActivityResult;
  print(answer, { json: values.json, describe: describeResult });
}

function describeResult({ cid, actionId, entityId, mimeType, size, state }: ActivityResult): string {
  return `${cid}

${state} by ${entityId}; ${mimeType}, ${size} bytes; action ${actionId}
`;
}

/** A form of the JSON part and the file (RFC 7578), read as it is sent. */
function toForm(
  file: { name: string; content: OpenedFile },
  json: object,
): { body: AsyncIterable<Uint8Array>; type: string } {
  const boundary = randomUUID();
  const part = (fields: string) => `--${boundary}\r\ncontent-disposition: form-data; ${fields}\r\n\r\n`;
  const fileName = encodeURIComponent(file.name);
  const head = `${part('name="json"')}${JSON.stringify(json)}\r\n${part(`name="file"; filename="${fileName}"`)}`;
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(head);
    yield* file.content.read('sending');
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  return { body: body(), type: `multipart/form-data; boundary=${boundary}` };
}
