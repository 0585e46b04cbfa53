import { parseArgs } from 'node:util';
import { openBlobsOfCommand, openPinning } from '../compose/bytes.js';
import { readConfig } from '../config.js';
import { checkStore, type Finding } from '../integrity/check-store.js';
import { openDatabases } from '../platform/db/open-databases.js';
import { listStoredTotals } from '../records/read/stored-contents.sql.js';
import { print, toTable } from './print.js';
import { startProgress } from './progress.js';
import { NotVerifiedError, UsageError } from './usage.js';

interface Report {
  contents: number;
  sizeBytes: number;
  findings: Finding[];
}

type FsckOptions = { quick: boolean; repair: boolean; dropAltered: boolean };

export async function fsckCommand(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: {
      quick: { type: 'boolean', default: false },
      repair: { type: 'boolean', default: false },
      'drop-altered': { type: 'boolean', default: false },
      json: { type: 'boolean' },
    },
  });
  const { quick, repair, 'drop-altered': dropAltered } = values;
  if (dropAltered && !repair) throw new UsageError('--drop-altered needs --repair.');
  const report = await check({ quick, repair, dropAltered });
  print(report, { json: values.json, describe });
  const wrong = report.findings.filter(({ repaired }) => repaired === undefined);
  if (wrong.length === 0) return;
  const subject = wrong.length === 1 ? '1 content differs' : `${wrong.length} contents differ`;
  throw new NotVerifiedError(`${subject} from the recorded data.`);
}

async function check(options: FsckOptions): Promise<Report> {
  const config = readConfig();
  if (config.store.kind === 'memory' || config.blobs.kind === 'memory') {
    throw new UsageError('There is nothing to check: set DATABASE_URL or DATA_DIR, and a store of bytes.');
  }
  const databases = await openDatabases(config.store);
  try {
    const blobs = await openBlobsOfCommand(config);
    const { provenance, control } = databases;
    const { pinnerOf, close: closePinning } = openPinning(config, control);
    const totals = await listStoredTotals(provenance);
    const [contents, sizeBytes] = [sum(totals, 'contents'), sum(totals, 'sizeBytes')];
    const progress = startProgress({ label: 'checking', sizeBytes });
    const findings: Finding[] = [];
    const checkOptions = { ...options, onProgress: progress.advance };
    try {
      for await (const finding of checkStore({ provenance, blobs, pinnerOf }, checkOptions))
        findings.push(finding);
    } finally {
      progress.end();
      await closePinning();
      await blobs.close();
    }
    return { contents, sizeBytes, findings };
  } finally {
    await databases.close();
  }
}

function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

function describe({ contents, sizeBytes, findings }: Report): string {
  const checked = `${contents} contents, ${sizeBytes} bytes.\n`;
  if (findings.length === 0) return `All is as recorded: ${checked}`;
  const table = toTable(findings, [
    { head: 'PROBLEM', of: ({ problem }) => problem },
    { head: 'PROJECT', of: ({ projectId }) => projectId },
    { head: 'CONTENT', of: ({ cid, contentDigest }) => cid ?? contentDigest },
    { head: 'BYTES', of: (finding) => finding.sizeBytes },
    { head: 'REPAIR', of: ({ repaired, faults }) => repaired ?? faults?.join('; ') ?? '-' },
  ]);
  return `${table}\n${findings.length} problems in ${checked}`;
}
