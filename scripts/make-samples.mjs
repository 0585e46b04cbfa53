// Creates the sample pictures of the page. Signs them with a new key that no trust list has. Run `npm run build` first,
// then `node scripts/make-samples.mjs`.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drawLandscape } from './draw-landscape.mjs';
import { ROOT } from './processes.mjs';

const SAMPLES = join(ROOT, 'packages/web/src/check/samples');
const SERVER = join(ROOT, 'packages/server/dist');
const DOCUMENT_SIGNING = '1.3.6.1.5.5.7.3.36';
const VALID_FROM = new Date('2026-01-01T00:00:00Z');
const VALID_TO = new Date('2056-01-01T00:00:00Z');
const SOURCES = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
/** The marker of JPEG segments that contain a manifest. */
const APP11 = 0xeb;

const { createMediaEngine } = await import(join(SERVER, 'media/create-media-engine.js'));
const { issueCertificate } = await import(join(SERVER, 'media/signing/issue-certificate.js'));
const { createScheduler } = await import(join(SERVER, 'platform/work/scheduler.js'));

const folder = mkdtempSync(join(tmpdir(), 'colophon-samples-'));
const signer = makeSigner();
const engine = await createMediaEngine({ maxBytes: 2 ** 24, timeoutMs: 30_000, scheduler: openScheduler() });

const signed = await sign(await drawLandscape({ sky: '#bcd9ea', hills: '#4f7f5a' }), {
  title: 'Signed sample',
  source: 'digitalCreation',
});
const generated = await sign(await drawLandscape({ sky: '#2a1c4d', hills: '#8a3f8f', hasMoons: true }), {
  title: 'Sample AI image',
  source: 'trainedAlgorithmicMedia',
});
const painted = await drawLandscape({ sky: '#bcd9ea', hills: '#4f7f5a', hasBalloon: true });
mkdirSync(SAMPLES, { recursive: true });
writeFileSync(join(SAMPLES, 'signed.jpg'), signed);
writeFileSync(join(SAMPLES, 'generated.jpg'), generated);
writeFileSync(join(SAMPLES, 'tampered.jpg'), withManifestOf(signed, painted));
await engine.close();
rmSync(folder, { recursive: true, force: true });

function makeSigner() {
  const keys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: 'Colophon authority for samples', ...keys() };
  const { publicKey, privateKey } = keys();
  const certificatePem = issueCertificate(issuer, {
    subject: 'Colophon samples',
    publicKey,
    validFrom: VALID_FROM,
    validTo: VALID_TO,
    extendedKeyUsages: [DOCUMENT_SIGNING],
  });
  return { certificatePem, privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function openScheduler() {
  const kinds = [
    'history',
    'media',
    'search',
    'describe',
    'video',
    'text',
    'batch',
    'bulk',
    'parse',
    'fetch',
  ];
  return createScheduler({
    places: Object.fromEntries(kinds.map((kind) => [kind, 1])),
    ...{ memoryBytes: 2 ** 30, maxWaitMs: 30_000, maxWaiting: 10 },
  });
}

/** `source`: the digital source type of the picture. */
async function sign(bytes, { title, source }) {
  const [from, to] = [join(folder, `${source}.jpg`), join(folder, `${source}-signed.jpg`)];
  writeFileSync(from, bytes);
  const created = { action: 'c2pa.created', digitalSourceType: `${SOURCES}${source}` };
  const definition = {
    title,
    claim_generator_info: [{ name: 'Colophon samples', version: '1' }],
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [created] } }],
  };
  const request = {
    path: from,
    outputPath: to,
    mediaType: 'image/jpeg',
    definition,
    ingredients: [],
    signer,
  };
  await engine.sign(request);
  return readFileSync(to);
}

function withManifestOf(signed, picture) {
  const segments = [];
  for (let at = 2; signed[at] === 0xff && signed[at + 1] !== 0xda; at += 2 + signed.readUInt16BE(at + 2))
    if (signed[at + 1] === APP11) segments.push(signed.subarray(at, at + 2 + signed.readUInt16BE(at + 2)));
  return Buffer.concat([picture.subarray(0, 2), ...segments, picture.subarray(2)]);
}
