import { Agent, request } from 'node:http';

const HEAD_END = '\r\n\r\n';

/** A caller with `node:http`. It has the same messages and responses as `connection.mjs`. */
export function openNodeClient(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const parsed = new Map();
  return {
    send(message) {
      const { body, ...head } = typeof message === 'string' ? remembered(parsed, message) : parse(message);
      return new Promise((resolve, reject) => {
        const call = request({ agent, host: '127.0.0.1', port, ...head }, (answer) => {
          const chunks = [];
          answer.on('data', (chunk) => chunks.push(chunk));
          answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) }));
          answer.on('error', reject);
        });
        call.on('error', reject);
        call.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/** The SDK uses `fetch`. */
export function openFetchClient(port) {
  const parsed = new Map();
  return {
    async send(message) {
      const { path, ...request } = typeof message === 'string' ? remembered(parsed, message) : parse(message);
      const { Host, Connection, 'Content-Length': length, ...headers } = request.headers;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...request, headers });
      return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
    },
    close() {},
  };
}

function remembered(parsed, message) {
  const known = parsed.get(message) ?? parse(message);
  if (parsed.size < 100) parsed.set(message, known);
  return known;
}

function parse(message) {
  const end = message.indexOf(HEAD_END);
  const [start, ...lines] = message.toString('latin1', 0, end).slice(0, end).split('\r\n');
  const [method, path] = start.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  const body = method === 'GET' ? undefined : message.slice(end + HEAD_END.length);
  return { method, path, headers, body };
}
