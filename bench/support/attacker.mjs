// A thread that sends the requests of attacks.
import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const { port, keys, attacks, maxRequests } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const statuses = {};
let isOver = false;

function send(key, { path, method = 'GET', type, body, leaveAfterMs, isKeyless = false }) {
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

/** Sends up to `maxRequests` requests of one attack with each of its keys, `atOnce` at a time. */
async function attack({ requests, atOnce, keys: count = 1 }) {
  let sent = 0;
  const sendNext = () => {
    const place = sent++;
    return send(keys[place % count], requests[Math.floor(place / count) % requests.length]);
  };
  const caller = async () => {
    while (!isOver && sent < count * maxRequests) await sendNext();
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
