// A thread that sends the requests of attacks. `workerData` contains the port, the key, the attacks and
// the maximum number of requests of each attack.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { port, key, attacks, maxRequests } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const statuses = {};
let isOver = false;

function send({ path, method = 'GET', type, body, leaveAfterMs, isKeyless = false }) {
  return new Promise((resolve) => {
    const headers = {
      ...(isKeyless ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': type, 'content-length': body.length }),
    };
    const call = request({ agent, port, host: '127.0.0.1', path, method, headers });
    const end = (status) => {
      clearTimeout(timer);
      if (!isOver) statuses[status] = (statuses[status] ?? 0) + 1;
      resolve();
    };
    const leave = () => call.destroy();
    const timer = leaveAfterMs === undefined ? undefined : setTimeout(leave, leaveAfterMs);
    call.on('response', (answer) => answer.resume().on('close', () => end(answer.statusCode)));
    call.on('error', () => end('left'));
    call.end(body);
  });
}

/** Sends up to `maxRequests` requests of one attack, `atOnce` at a time. */
async function attack({ requests, atOnce }) {
  let sent = 0;
  const caller = async () => {
    while (!isOver && sent < maxRequests) await send(requests[sent++ % requests.length]);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}

parentPort.once('message', () => {
  isOver = true;
  parentPort.postMessage(statuses);
  agent.destroy();
  process.exit();
});
void Promise.all(attacks.map(attack));
