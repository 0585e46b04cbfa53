// Signs a picture, removes its manifest, and crops it. Then finds the manifest and the history again.
// Start the service (npm start). Then run: COLOPHON_API_KEY=<key> node examples/find-again.mjs
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';

const url = process.env.COLOPHON_URL ?? 'http://localhost:3001';
const authorization = `Bearer ${process.env.COLOPHON_API_KEY}`;

async function call(path, init = {}) {
  const answer = await fetch(url + path, { ...init, headers: { authorization, ...init.headers } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

function paint() {
  const hills = Array.from({ length: 6 }, (_, index) => {
    const y = 260 + index * 40 + Math.random() * 30;
    return `<path d="M0 ${y} Q ${Math.random() * 640} ${y - 120} 640 ${y} V 480 H 0 Z" fill="hsl(${90 + index * 15} 40% ${60 - index * 8}%)"/>`;
  });
  const sun = `<circle cx="${80 + Math.random() * 480}" cy="90" r="45" fill="gold"/>`;
  const svg = `<svg width="640" height="480"><rect width="640" height="480" fill="skyblue"/>${sun}${hills.join('')}</svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 95 }).toBuffer();
}

function formOf(file, json) {
  const form = new FormData();
  form.set('file', new Blob([file], { type: 'image/jpeg' }), 'picture.jpg');
  if (json !== undefined) form.set('json', JSON.stringify(json));
  return { method: 'POST', body: form };
}

await call('/v1/entity', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'studio:ann', role: 'human', name: 'Ann' }),
});
const said = { entityId: 'studio:ann', generator: 'Studio', aiDisclosure: null, title: 'Hills' };
const made = await (await call('/v1/media/embed', formOf(await paint(), said))).json();
console.log(`signed and recorded: ${made.cid}`);

const signed = Buffer.from(await (await call(made.contentUrl)).arrayBuffer());
// Decoding and encoding removes all Content Credentials.
const stripped = await sharp(signed)
  .extract({ left: 30, top: 20, width: 580, height: 430 })
  .jpeg({ quality: 70 })
  .toBuffer();

/** The search index receives the content shortly after the recording, so the first search can be too early. */
async function search(tries = 20) {
  const found = await (await call('/v1/search/file?include=bundle', formOf(stripped))).json();
  if (found.verdict !== 'no-match' || tries === 0) return found;
  await sleep(500);
  return search(tries - 1);
}

const found = await search();
console.log(`cropped and stripped, it is found: ${found.verdict}`, found.matches[0]);
const resource = found.bundle.resources.find(({ cid }) => cid === found.matches[0].cid);
console.log('its manifest says:', resource.extensions['ext:c2pa@1.0.0'].title);
console.log(`its history: ${found.bundle.actions.map(({ type }) => type).join(', ')}`);

const { matches } = await (
  await call('/v1/c2pa/matches/byContent', {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg' },
    body: stripped,
  })
).json();
const store = await call(`/v1/c2pa/manifests/${encodeURIComponent(matches[0].manifestId)}`);
console.log(
  `its manifest store: ${(await store.arrayBuffer()).byteLength} bytes of ${store.headers.get('content-type')}`,
);
