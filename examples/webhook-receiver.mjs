import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  try {
    const { type, data } = webhook.verify(body, request.headers);
    console.log(type, JSON.stringify(data));
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
});
server.listen(process.env.PORT ?? 3010, '127.0.0.1');
