import { parseArgs } from 'node:util';
import { openPinning } from '../compose/bytes.js';
import { readConfig } from '../config.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { type QueuedPins, queuePins } from '../records/pinning/queue-pins.js';
import { listStoredTotals } from '../records/read/stored-contents.sql.js';
import { print, toTable } from './print.js';
import { startProgress } from './progress.js';
import { UsageError } from './usage.js';

/** Queues the stored content that is neither pinned nor queued, for each pinning service. */
export async function pinCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { json: { type: 'boolean' } } });
  print({ pins: await callForPins() }, { json: values.json, describe });
}

async function callForPins(): Promise<QueuedPins[]> {
  const config = readConfig();
  if (config.store.kind === 'memory') {
    throw new UsageError('There is nothing to pin: set DATABASE_URL or DATA_DIR.');
  }
  const databases = await openDatabases(config.store);
  const { providersOf, close } = openPinning(config, databases.control);
  try {
    const { provenance } = databases;
    let total = 0;
    for (const { projectId, contents } of await listStoredTotals(provenance))
      total += contents * (await providersOf(projectId)).length;
    const progress = startProgress({ label: 'looking', sizeBytes: total });
    const pins: QueuedPins[] = [];
    try {
      for await (const one of queuePins({ provenance, providersOf, onProgress: progress.advance }))
        pins.push(one);
    } finally {
      progress.end();
    }
    return pins;
  } finally {
    await close();
    await databases.close();
  }
}

function describe({ pins }: { pins: readonly QueuedPins[] }): string {
  if (pins.length === 0) return 'No project has both stored content and a pinning service.\n';
  const table = toTable(pins, [
    { head: 'PROJECT', of: ({ projectId }) => projectId },
    { head: 'SERVICE', of: ({ provider }) => provider },
    { head: 'CONTENTS', of: ({ contents }) => contents },
    { head: 'TO PIN', of: ({ queued }) => queued },
  ]);
  return `${table}\nThe running service pins the contents. \`locations\` of a content shows its state.\n`;
}
