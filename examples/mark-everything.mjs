// Marks a picture, a song, a clip, a PDF, a text and a web page, and publishes their histories. Damages each file as
// messengers and websites do. Then sends only the damaged file to the public detector, and asks who made it.
//
//   PUBLIC_DETECTOR=true MANAGEMENT_API_KEY=mk_live_change-me-please npm start
//   MANAGEMENT_API_KEY=mk_live_change-me-please node examples/mark-everything.mjs
//
// Instead of MANAGEMENT_API_KEY, the script accepts COLOPHON_API_KEY, the key of a project with the setting
// `publicDetector`. COLOPHON_URL is the address of the service (default http://localhost:3001). The song and the clip
// need ffmpeg on this machine and on the machine of the service.
// Exits with 1 if the detector does not name the right maker alone, and with 2 if the setup is incomplete or a
// fingerprint takes more than two minutes.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createClient, createManagementClient } from '@colophon/sdk';
import {
  compressClip,
  convertToMp3,
  cutPdf,
  minifyPage,
  pasteText,
  pasteVisibleText,
  resizePages,
  sendPicture,
} from './mark-everything/damage-files.mjs';
import { HAS_FFMPEG } from './mark-everything/ffmpeg.mjs';
import {
  filmClip,
  paintPicture,
  playSong,
  printPdf,
  writePage,
  writeText,
} from './mark-everything/make-files.mjs';

const { COLOPHON_URL: url = 'http://localhost:3001', COLOPHON_API_KEY, MANAGEMENT_API_KEY } = process.env;
const ONE_DAY_MS = 24 * 60 * 60 * 1000;
const DESCRIBED_WITHIN_MS = 120_000;

/** The text comes first because it is small, and `requireDetector` also sends the first file without damage. */
const FILES = [
  {
    ...{ name: 'story.txt', type: 'text/plain', maker: 'Wanda Writer', make: writeText },
    damages: [
      ['pasted below a line of another author, with its invisible characters', pasteText],
      ['pasted without invisible characters', pasteVisibleText],
    ],
  },
  {
    ...{ name: 'page.html', type: 'text/html', maker: 'Hugo Host', make: writePage },
    damages: [['minified, script elements removed', minifyPage]],
  },
  {
    ...{ name: 'meadow.jpg', type: 'image/jpeg', maker: 'Pia Painter', make: paintPicture },
    damages: [['messenger: 75 % of the size, JPEG q60, no metadata', sendPicture]],
  },
  {
    ...{
      name: 'letter.pdf',
      type: 'application/pdf',
      maker: 'Ida Printer',
      make: printPdf,
      keepsOriginal: true,
    },
    damages: [['manifest cut off, only the original bytes left', cutPdf]],
    ifDescribed: [['manifest cut off, other paper size', (file) => resizePages(cutPdf(file))]],
  },
  {
    ...{ name: 'song.wav', type: 'audio/wav', maker: 'Cora Composer', make: playSong, needsFfmpeg: true },
    damages: [['MP3 128 kbit/s, no metadata', convertToMp3]],
  },
  {
    ...{ name: 'clip.mp4', type: 'video/mp4', maker: 'Finn Filmer', make: filmClip, needsFfmpeg: true },
    damages: [['half the size, compressed again, no metadata', compressClip]],
  },
];

const client = createClient({ url, apiKey: COLOPHON_API_KEY ?? (await createProject()) });
const files = FILES.filter(({ needsFfmpeg }) => HAS_FFMPEG || needsFfmpeg !== true);
const rows = [['file', 'damage', 'found', 'named maker', 'named']];
for (const [index, file] of files.entries()) {
  const { marked, hasFingerprint } = await markAndPublish(file);
  if (index === 0) await requireDetector(file, marked);
  const { damages, ifDescribed = [] } = file;
  for (const [damage, apply] of hasFingerprint ? [...damages, ...ifDescribed] : damages)
    rows.push(await detect({ ...file, damage }, await apply(marked)));
}
printTable(rows);
if (!HAS_FFMPEG)
  console.log('Skipped song.wav and clip.mp4: this machine has no ffmpeg (Debian: apt install ffmpeg).');
console.log(
  'A PDF has no watermark. Without the manifest, only the bytes of the original PDF remain. The detector finds\n' +
    'them, because the script published the original too. A PDF that another program saved again has no valid\n' +
    'manifest: only its text can name its maker, if the service has pdftotext.',
);
process.exitCode = rows.slice(1).every((row) => row.at(-1) === 'yes') ? 0 : 1;

async function createProject() {
  if (MANAGEMENT_API_KEY === undefined)
    stop(
      'Set COLOPHON_API_KEY to a key of a project with the setting `publicDetector`, or MANAGEMENT_API_KEY.',
    );
  const management = createManagementClient({ url, managementKey: MANAGEMENT_API_KEY, userId: 'marker' });
  const slug = `marks-${Date.now().toString(36)}`;
  await management.orgs.create({ name: 'Marks', slug });
  const { id: projectId } = await management.projects.create({ orgSlug: slug, name: 'Everything' });
  await management.projects.update(projectId, { publicDetector: true });
  const { key } = await management.apiKeys.create({ projectId, name: 'example', permissions: 'write' });
  return key;
}

/**
 * Makes a marked copy of a file, and publishes its history for a day. With `keepsOriginal`, also records and publishes
 * the original.
 */
async function markAndPublish({ name, type, maker, make, keepsOriginal }) {
  const file = new Blob([await make()], { type });
  const entityId = `studio:${maker.toLowerCase().replace(' ', '-')}`;
  await client.entities.create({ id: entityId, role: 'human', name: maker });
  if (keepsOriginal) {
    const { cid } = await client.file(file, { entity: { id: entityId, role: 'human' } });
    await publish(cid, name);
  }
  const request = {
    entityId,
    generator: 'Example Studio',
    aiDisclosure: 'ai_generated',
    actionId: crypto.randomUUID(),
  };
  const { cid } = await client.mark(file, request);
  await publish(cid, name);
  const hasFingerprint = await untilDescribed({ name, file, request });
  const marked = await client.resources.content(cid);
  return { marked: Buffer.from(await marked.arrayBuffer()), hasFingerprint };
}

function publish(cid, title) {
  return client.publications.create({
    cid,
    title,
    expiresAt: new Date(Date.now() + ONE_DAY_MS).toISOString(),
  });
}

/**
 * The service computes some fingerprints in the background. Each response has the state of the fingerprint, so this
 * function repeats the request with the same action id. Returns whether the file has a fingerprint.
 */
async function untilDescribed({ name, file, request }) {
  const deadline = Date.now() + DESCRIBED_WITHIN_MS;
  for (;;) {
    const { layers } = await client.mark(file, request);
    const fingerprint = layers.find(({ kind }) => kind === 'fingerprint');
    if (fingerprint.state === 'unavailable') console.log(`${name} has no fingerprint: ${fingerprint.reason}`);
    if (fingerprint.state !== 'pending') return fingerprint.state === 'added';
    if (Date.now() > deadline) stop(`The service computed no fingerprint of ${name} in two minutes.`);
    await sleep(500);
  }
}

/** Stops the script if the detector does not find the undamaged copy. */
async function requireDetector({ name, type }, marked) {
  try {
    const { layers } = await client.detect(new Blob([marked], { type }));
    if (layers.some(({ kind }) => kind === 'log')) return;
    stop(`The detector does not find the unchanged ${name}: the project of the key needs the setting \`publicDetector\`
(PUT /management/projects/:id, or on the page of the service).`);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'NotFound') throw error;
    stop(`${url} has no public detector. Start the service with PUBLIC_DETECTOR=true.`);
  }
}

/** The layers of the answer name the makers. */
async function detect({ name, damage, maker }, damaged) {
  const { layers } = await client.detect(damaged);
  const makers = new Set(layers.flatMap(({ makers: stated = [] }) => stated.map((one) => one.name)));
  const found = layers.map(({ kind, confidence }) => `${kind} (${confidence})`).join(', ') || 'nothing';
  const named = [...makers].join(', ') || '-';
  return [name, damage, found, named, named === maker ? 'yes' : 'no'];
}

function printTable(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

function stop(message) {
  console.error(message);
  process.exit(2);
}
