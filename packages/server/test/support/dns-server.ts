import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const HEADER_BYTES = 12;
const TYPE_A = 1;

export interface DnsServer {
  /** The address for `Resolver.setServers`. */
  address: string;
  asked: string[];
  close(): void;
}

/**
 * A name that contains `silent` gets no answer. A name that contains `only4` gets answers only for IPv4 addresses. An
 * unknown name does not exist (RFC 1035 §4.1).
 */
export async function startDnsServer(known: Record<string, string> = {}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = readQuestion(query);
    asked.push(name);
    if (name.includes('silent') || (name.includes('only4') && type !== TYPE_A)) return;
    const found = known[name];
    const records = found === undefined || type !== TYPE_A ? [] : [toRecord(found)];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(found === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  return { address: `127.0.0.1:${port}`, asked, close: () => socket.close() };
}

function readQuestion(query: Buffer): { name: string; end: number; type: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Type A and class IN, valid for a minute. Its name is the name in the question. */
function toRecord(address: string): Buffer {
  const head = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4];
  return Buffer.from([...head, ...address.split('.').map(Number)]);
}
