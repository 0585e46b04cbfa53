// Hono: records uploads, and reports whether a file is recorded. In the examples folder: npm i
//
//   COLOPHON_API_KEY=<key> node examples/frameworks/hono.mjs
//   curl -H 'Content-Type: image/jpeg' --data-binary @photo.jpg 'localhost:3000/photos?by=Ann'
import { createClient, duplicateOf } from '@colophon/sdk';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';

const { COLOPHON_URL: url = 'http://localhost:3001', COLOPHON_API_KEY: apiKey, PORT = '3000' } = process.env;
const colophon = createClient({ url, apiKey });
const app = new Hono();
app.use(bodyLimit({ maxSize: 20 * 1024 * 1024 }));

app.post('/photos', async (context) => {
  const name = context.req.query('by') ?? 'somebody';
  const photo = await context.req.arrayBuffer();
  const { cid } = await colophon.file(photo, { entity: { role: 'human', name } });
  return context.json({ cid }, 201);
});

app.post('/verify', async (context) => {
  const { verified, cid } = await colophon.verify(await context.req.arrayBuffer());
  return context.json({ verified, cid });
});

app.onError((error, context) => {
  const known = duplicateOf(error);
  if (known !== undefined) return context.json({ cid: known.cid });
  return context.json({ error: error.message }, error.status ?? 502);
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
