import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { namedProjectId } from '../../src/access/create-key.js';
import { freePort } from '../support/free-port.js';
import { ANY_ENGINE, startService } from '../support/service.js';

const ROOT = new URL('../../../../', import.meta.url);
const EXAMPLE = new URL('examples/webhook-receiver.mjs', ROOT);

it('the receiver in the guide accepts the requests of the service, and rejects requests of others', async () => {
  const source = readFileSync(EXAMPLE, 'utf8');
  expect(readFileSync(new URL('docs/guides/webhooks.md', ROOT), 'utf8')).toContain(
    `\`\`\`js\n${source}\`\`\``,
  );

  const service = await startService(ANY_ENGINE, {
    environment: { ALLOW_PRIVATE_ADDRESSES: 'true' },
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const hooks = `/projects/${namedProjectId('one')}/webhooks`;
  const { secret } = await (await service.manage('operator', hooks, { body: { url } })).json();
  const receiver = spawn(process.execPath, [fileURLToPath(EXAMPLE)], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
  });
  try {
    let heard = '';
    receiver.stdout.on('data', (chunk) => {
      heard += chunk;
    });
    const forge = () =>
      fetch(url, { method: 'POST', body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(forge, { timeout: 30_000 }).toBe(401);
    const { actionId } = await (await service.upload('a photo')).json();
    await expect.poll(() => heard, { timeout: 30_000 }).toContain(actionId);
    expect(heard).toMatch(/^action\.recorded \{"projectId"/);
  } finally {
    receiver.kill();
    await service.stop();
  }
}, 90_000);
