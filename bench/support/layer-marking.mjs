// Marks files of each kind, damages the marked copies, and sends them to the public detector.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HAS_FFMPEG } from '../../examples/mark-everything/ffmpeg.mjs';
import { createClient, createManagementClient } from '../../packages/sdk/dist/index.js';
import { LAYER_FILES } from './layer-files.mjs';
import { startService } from './service.mjs';

const FILES = 5;
const MANAGEMENT_KEY = 'mk_live_key-of-the-benchmark-only';
const ONE_DAY_MS = 24 * 60 * 60 * 1000;
const DESCRIBED_WITHIN_MS = 120_000;
const LAYERS = ['manifest', 'changed manifest', 'watermark', 'fingerprint', 'log'];

export async function measureLayers(report, { files = FILES, formats }) {
  const chosen = LAYER_FILES.filter(
    ({ name, needsFfmpeg }) =>
      (HAS_FFMPEG || needsFfmpeg !== true) && (formats === undefined || formats.split(',').includes(name)),
  );
  report.section(`marking: layers that the detector finds, ${files} files of each kind`);
  report.note(`columns: ${LAYERS.join(', ')}, the maker named`);
  const directory = mkdtempSync(join(tmpdir(), 'colophon-bench-layers-'));
  let service;
  try {
    service = await startService({
      ...{ DATA_DIR: join(directory, 'data'), MANAGEMENT_API_KEY: MANAGEMENT_KEY },
      ...{ PUBLIC_DETECTOR: 'true', PUBLIC_DETECTOR_RPM: '100000' },
    });
    const client = await createMarker(service.base);
    for (const kind of chosen) await measureKind(report, client, { ...kind, count: Number(files) });
  } finally {
    await service?.stop();
    rmSync(directory, { recursive: true });
  }
}

async function createMarker(url) {
  const management = createManagementClient({ url, managementKey: MANAGEMENT_KEY, userId: 'bench' });
  await management.orgs.create({ name: 'Bench', slug: 'bench' });
  const { id: projectId } = await management.projects.create({ orgSlug: 'bench', name: 'Layers' });
  await management.projects.update(projectId, { publicDetector: true });
  const { key } = await management.apiKeys.create({ projectId, name: 'bench', permissions: 'write' });
  return createClient({ url, apiKey: key });
}

async function measureKind(report, client, { name, type, make, damages, count }) {
  const all = [['none', (file) => file], ...damages];
  const rows = new Map(all.map(([damage]) => [damage, new Map()]));
  for (let number = 0; number < count; number++) {
    const maker = `Maker of ${name} ${number}`;
    const marked = await markAndPublish(client, { type, make, maker });
    for (const [damage, apply] of all) {
      const { layers } = await client.detect(new Blob([await apply(marked)]));
      countFound(rows.get(damage), layers, maker);
    }
  }
  for (const [damage, found] of rows) {
    const counts = [...LAYERS, 'named'].map((one) => `${found.get(one) ?? 0}`);
    report.verdict(name, `${name} | ${damage} | ${counts.join(' | ')}`);
  }
}

/** Adds 1 to `named` if the layers name `maker` and no other maker. */
function countFound(found, layers, maker) {
  const kinds = new Set(layers.map(({ kind, state }) => (state === 'invalid' ? 'changed manifest' : kind)));
  const names = new Set(layers.flatMap(({ makers = [] }) => makers.map((one) => one.name)));
  if (names.size === 1 && names.has(maker)) kinds.add('named');
  for (const kind of kinds) found.set(kind, (found.get(kind) ?? 0) + 1);
}

/** Returns the marked bytes after the service has computed the fingerprint. */
async function markAndPublish(client, { type, make, maker }) {
  const file = new Blob([await make()], { type });
  const entityId = maker.toLowerCase().replaceAll(' ', '-');
  await client.entities.create({ id: entityId, role: 'human', name: maker });
  const request = {
    ...{ entityId, generator: 'Bench', aiDisclosure: 'ai_generated' },
    actionId: crypto.randomUUID(),
  };
  const { cid } = await client.mark(file, request);
  const expiresAt = new Date(Date.now() + ONE_DAY_MS).toISOString();
  await client.publications.create({ cid, title: maker, expiresAt });
  const deadline = Date.now() + DESCRIBED_WITHIN_MS;
  for (;;) {
    const { layers } = await client.mark(file, request);
    if (layers.every(({ state }) => state !== 'pending')) break;
    if (Date.now() > deadline) throw new Error(`A layer is still pending after two minutes: ${maker}`);
    await sleep(200);
  }
  return Buffer.from(await (await client.resources.content(cid)).arrayBuffer());
}
