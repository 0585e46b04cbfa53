import { once } from 'node:events';
import { request } from 'node:http';
import { KEY } from './service.mjs';

const BOUNDARY = 'a-boundary-of-this-benchmark';
const BLOCK_BYTES = 2 ** 20;

export function* contentOf(mebibytes, round) {
  // The bytes are not text, because the service would also compute a similarity descriptor of a text.
  const block = Buffer.alloc(
    BLOCK_BYTES,
    Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(`round ${round} `)]),
  );
  for (let index = 0; index < mebibytes; index++) yield block;
}

export async function uploadContent({ port }, mebibytes, round) {
  const call = request({
    port,
    host: '127.0.0.1',
    path: '/v1/activity',
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  });
  const answered = once(call, 'response');
  const part = (disposition) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  call.write(`${part('name="json"')}{"entity":{"role":"human","name":"Ann"}}\r\n`);
  call.write(part('name="file"; filename="large.bin"'));
  for (const block of contentOf(mebibytes, round)) if (!call.write(block)) await once(call, 'drain');
  call.end(`\r\n--${BOUNDARY}--\r\n`);
  const [answer] = await answered;
  let body = '';
  for await (const chunk of answer) body += chunk;
  if (answer.statusCode !== 201) throw new Error(`${answer.statusCode} ${body}`);
}
