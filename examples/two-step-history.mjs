// Embeds an AI disclosure into a camera photo, edits the signed photo, and embeds a second disclosure. Then reads both
// steps from the file.
//
//   API_KEYS=my-development-key npm start
//   COLOPHON_API_KEY=my-development-key node examples/two-step-history.mjs photo.jpg
//
// COLOPHON_URL is the address of the service (default http://localhost:3001). The edit needs sharp, which `npm start`
// installs.
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';

const { COLOPHON_URL: base = 'http://localhost:3001', COLOPHON_API_KEY: key } = process.env;
const [file] = process.argv.slice(2);
if (key === undefined || file === undefined) {
  console.error('Usage: COLOPHON_API_KEY=<key> node examples/two-step-history.mjs <photo.jpg>');
  process.exit(2);
}

const ann = await ask('/v1/entity', json({ id: 'studio:ann', role: 'human', name: 'Ann' }));

// 1. An AI tool retouched the photo. The service writes this statement into the file.
const first = await embed(await readFile(file), {
  generator: { name: 'Retoucher', version: '2.0' },
  title: 'Beach, retouched',
  aiDisclosure: 'ai_assisted',
  aiTool: { provider: 'Acme', model: 'retouch-2' },
  actions: [{ action: 'c2pa.color_adjustments', when: new Date().toISOString() }],
});
const signed = await contentOf(first);

// 2. An ordinary tool crops the signed photo and removes the manifest, so the request names the earlier version.
const { width = 0, height = 0 } = await sharp(signed).metadata();
const cropped = await sharp(signed)
  .extract({ left: 0, top: 0, width: Math.ceil(width * 0.9), height: Math.ceil(height * 0.9) })
  .jpeg()
  .toBuffer();
const second = await embed(cropped, {
  generator: { name: 'Cropper', version: '1.1' },
  title: 'Beach, cropped',
  aiDisclosure: 'ai_assisted',
  actions: [{ action: 'c2pa.cropped', when: new Date().toISOString() }],
  ingredients: [{ cid: first.cid, relationship: 'parentOf', title: first.manifest.title }],
});
const result = await contentOf(second);
await writeFile('two-step-history.jpg', result);

// 3. Read the history from the file alone, without the records of the service.
const read = await ask('/v1/media/extract', { method: 'POST', body: form({ file: result }) });
console.log(read.display.headline);
console.log(`AI: ${read.display.aiLabel}`);
for (const { text } of read.display.changes) console.log(`  - ${text}`);
console.log(`now:    ${read.manifest.title}, by ${read.manifest.generator}`);
const [before] = read.manifest.ingredients;
console.log(`before: ${before.manifest.title}, by ${before.manifest.generator}`);

function embed(bytes, said) {
  const body = form({ file: bytes }, { entityId: ann.id, ...said });
  return ask('/v1/media/embed', { method: 'POST', body });
}

async function contentOf({ contentUrl }) {
  const answer = await fetch(base + contentUrl, { headers: { authorization: `Bearer ${key}` } });
  return Buffer.from(await answer.arrayBuffer());
}

function form(files, said) {
  const body = new FormData();
  if (said !== undefined) body.set('json', JSON.stringify(said));
  for (const [name, bytes] of Object.entries(files)) body.set(name, new Blob([bytes]), `${name}.jpg`);
  return body;
}

function json(body) {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function ask(path, init = {}) {
  const headers = { authorization: `Bearer ${key}`, ...init.headers };
  const answer = await fetch(base + path, { ...init, headers });
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${body.error.message} ${body.error.recovery ?? ''}`);
  return body;
}
