import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';

/**
 * A keep-alive connection for one request at a time. A bare socket needs less CPU than `node:http` or `fetch`.
 * Responses must have a Content-Length.
 */
export async function openConnection(port) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  let waiting;
  let received = Buffer.alloc(0);

  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = readAnswer(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  for (const name of ['error', 'close'])
    socket.on(name, (error) => waiting?.reject(error instanceof Error ? error : new Error('closed early')));

  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(message);
      }),
    close: () => {
      waiting = undefined;
      socket.destroy();
    },
  };
}

export function toMessage({ method = 'GET', path, key, body }) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}${HEAD_END}${body}`;
}

function readAnswer(bytes) {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = bytes.latin1Slice(0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`The response has no Content-Length:\n${head}`);
  const bodyStart = headEnd + HEAD_END.length;
  if (bytes.length < bodyStart + Number(length)) return undefined;
  return { status: Number(head.slice(9, 12)), body: bytes.subarray(bodyStart) };
}
