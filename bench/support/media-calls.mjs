import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { KEY } from './service.mjs';

export const BOUNDARY = 'a-boundary-of-this-benchmark';
const agent = new Agent({ keepAlive: true });

export function toForm(file, json) {
  const part = (disposition) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
  const said = json === undefined ? '' : `${part('name="json"')}${JSON.stringify(json)}\r\n`;
  return Buffer.concat([
    Buffer.from(`${said}${part('name="file"; filename="file"')}`),
    file,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** Returns the milliseconds until the response is complete. */
export async function postForm({ port }, path, form) {
  const startedMs = performance.now();
  const call = request({
    agent,
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': form.length,
    },
  });
  const answered = once(call, 'response');
  call.end(form);
  const [answer] = await answered;
  let body = '';
  for await (const chunk of answer) body += chunk;
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${body}`);
  return performance.now() - startedMs;
}

/**
 * Returns the total milliseconds of each pass, and the 99th percentile of the event loop's delay since the last read.
 * The delay includes the sampling interval of 10 ms.
 */
export async function readMetrics({ base }) {
  const text = await (await fetch(`${base}/metrics`)).text();
  const passes = {};
  for (const [, name, seconds] of text.matchAll(/^media_pass_seconds_total\{pass="(\w+)"\} (\S+)$/gm))
    passes[name] = Number(seconds) * 1000;
  const [, lag] = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text);
  return { passes, lagP99Ms: Number(lag) * 1000 };
}
