import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answer has the path, the headers, and up to 1,000 bytes of the body. */
export interface EchoServer {
  url: string;
  asked: string[];
  close(): Promise<void>;
}

/**
 * Under `/.well-known/` it returns the configuration of an OpenID provider, so that it receives the token requests.
 * Under `/rpc/` it answers with JSON-RPC errors.
 */
export async function startEchoServer(): Promise<EchoServer> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const said = await repeat(request);
    const { url } = echo;
    if (request.url?.includes('/.well-known/')) {
      const places = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks`, ...places }));
    } else if (request.url?.startsWith('/rpc/')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: said } }));
    } else response.writeHead(500, { 'content-type': 'text/plain' }).end(said);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const echo: EchoServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return echo;
}

async function repeat(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  return [request.url, ...headers, Buffer.concat(chunks).toString('latin1').slice(0, 1000)].join('\n');
}
