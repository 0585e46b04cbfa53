// Express: records uploads, and reports whether a file is recorded. In the examples folder: npm i
//
//   COLOPHON_API_KEY=<key> node examples/frameworks/express.mjs
//   curl -H 'Content-Type: image/jpeg' --data-binary @photo.jpg 'localhost:3000/photos?by=Ann'
import { createClient, duplicateOf } from '@colophon/sdk';
import express from 'express';

const { COLOPHON_URL: url = 'http://localhost:3001', COLOPHON_API_KEY: apiKey, PORT = '3000' } = process.env;
const colophon = createClient({ url, apiKey });
const app = express();
app.use(express.raw({ type: () => true, limit: '20mb' }));

app.post('/photos', async (request, response) => {
  const name = String(request.query.by ?? 'somebody');
  const { cid } = await colophon.file(request.body, { entity: { role: 'human', name } });
  response.status(201).json({ cid });
});

app.post('/verify', async (request, response) => {
  const { verified, cid } = await colophon.verify(request.body);
  response.json({ verified, cid });
});

app.use((error, _request, response, _next) => {
  const known = duplicateOf(error);
  if (known !== undefined) return response.json({ cid: known.cid });
  response.status(error.status ?? 502).json({ error: error.message });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
