import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** OTLP 1.x, trace.proto. */
export interface SentSpan {
  traceId: string;
  spanId: string;
  /** Empty at the root of a trace. */
  parentId: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  attributes: Record<string, string | number>;
  links: string[];
  isError: boolean;
  resource: Record<string, string | number>;
}

/** Accepts OTLP over HTTP in protobuf, like an OpenTelemetry collector. */
export interface SpanCollector {
  url: string;
  spans: SentSpan[];
  /** Unchanged. */
  bodies: Buffer[];
  headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

export async function startSpanCollector(): Promise<SpanCollector> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    collector.bodies.push(body);
    collector.headers.push(request.headers);
    collector.spans.push(...readSpans(body));
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: SpanCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    headers: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

/**
 * Maps the number of a field to its values. Length-delimited fields are bytes, varints are numbers, and fixed-size
 * fields are absent.
 */
type Fields = Map<number, (Buffer | number)[]>;

function readSpans(body: Buffer): SentSpan[] {
  return messages(readFields(body), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1);
    const described = resource === undefined ? {} : readAttributes(resource, 1);
    const scopes = messages(resourceSpans, 2);
    return scopes.flatMap((scope) => messages(scope, 2).map((span) => readSpan(span, described)));
  });
}

function readSpan(span: Fields, resource: SentSpan['resource']): SentSpan {
  const hex = (field: number) => bytes(span, field).toString('hex');
  const [status] = messages(span, 15);
  return {
    traceId: hex(1),
    spanId: hex(2),
    parentId: hex(4),
    name: bytes(span, 5).toString(),
    kind: Number(span.get(6)?.[0] ?? 0),
    attributes: readAttributes(span, 9),
    links: messages(span, 13).map((link) => bytes(link, 2).toString('hex')),
    isError: status?.get(3)?.[0] === 2,
    resource,
  };
}

function readAttributes(principal: Fields, field: number): Record<string, string | number> {
  const pairs = messages(principal, field).map((pair) => {
    const [value] = messages(pair, 2);
    const text = value?.get(1)?.[0];
    const content = text instanceof Buffer ? text.toString() : Number(value?.get(3)?.[0] ?? 0);
    return [bytes(pair, 1).toString(), content] as const;
  });
  return Object.fromEntries(pairs);
}

function messages(principal: Fields, field: number): Fields[] {
  return (principal.get(field) ?? []).map((value) => readFields(value as Buffer));
}

function bytes(principal: Fields, field: number): Buffer {
  return (principal.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

/** Wire types: varint 0, 64 bits 1, length-delimited 2, 32 bits 5. */
function readFields(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = readVarint();
    const type = tag % 8;
    if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const number = readVarint();
      const value = type === 0 ? number : message.subarray(at, at + number);
      if (type === 2) at += number;
      fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
    }
  }
  return fields;
}
