import { createSigner } from '../access/ed25519.js';
import { type Config, readConfig } from '../config.js';
import { readSigningKey } from '../transparency-log/signing-key.js';
import { NotVerifiedError } from './usage.js';

export async function doctorCommand(): Promise<void> {
  const { version, effective, ignoredVariables, logKey, chain, store, search } = readConfig();
  const rows = [['version', version], ...Object.entries(effective)];
  const width = Math.max(...rows.map(([name = '']) => name.length));
  for (const [name = '', value = ''] of rows) {
    const note = ignoredVariables.includes(name) ? '   (no effect in this version)' : '';
    process.stdout.write(`${name.padEnd(width)}  ${value}${note}\n`);
  }
  process.stdout.write(`${'log'.padEnd(width)}  ${await describeLogKey(logKey)}\n`);
  process.stdout.write(`${'sound'.padEnd(width)}  ${describeProgram('sound', search.fpcalc)}\n`);
  process.stdout.write(`${'video'.padEnd(width)}  ${describeProgram('video', search.ffmpeg)}\n`);
  process.stdout.write(`${'pdf'.padEnd(width)}  ${describePdf(search)}\n`);
  if (store.kind === 'postgresql' && store.replicaUrl !== undefined) {
    const { describeReplica } = await import('../platform/db/replica.js');
    const trouble = await describeReplica({ primaryUrl: store.url, replicaUrl: store.replicaUrl });
    const says = trouble === undefined ? 'records are read from it' : `not in use: ${trouble}`;
    process.stdout.write(`${'replica'.padEnd(width)}  ${says}\n`);
  }
  if (store.kind === 'postgresql') await printDatabase(store.url, width);
  if (chain === undefined) return;
  const { describeChain } = await import('../anchors/describe-chain.js');
  const { isFit, says } = await describeChain(chain);
  process.stdout.write(`${'anchoring'.padEnd(width)}  ${says}\n`);
  if (!isFit) throw new NotVerifiedError('Anchoring does not work. Recording works without it.');
}

/** Does not reject if the database is unreachable: the service reports this error at its start. */
async function printDatabase(url: string, width: number): Promise<void> {
  const { openPostgres } = await import('../platform/db/postgres.js');
  const { describeCluster } = await import('../platform/db/citus/describe-cluster.js');
  const { describePartitions } = await import('../platform/db/partition/partition.js');
  const db = openPostgres(url, { connections: 1, keepsSession: false });
  const print = (name: string, says: string) => process.stdout.write(`${name.padEnd(width)}  ${says}\n`);
  try {
    const [partitions, cluster] = [await describePartitions(db), await describeCluster(db)];
    if (partitions !== undefined) print('partitions', partitions.says);
    if (cluster !== undefined) print('cluster', cluster.says);
    if (partitions?.isFit === false)
      throw new NotVerifiedError(`The tables have an unfinished copy: ${partitions.says}.`);
    if (cluster?.isFit === false) throw new NotVerifiedError('The cluster is not ready for the service.');
  } catch (error) {
    if (error instanceof NotVerifiedError) throw error;
    print('database', `not known: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await db.close();
  }
}

const DECODERS = {
  sound: { name: 'fpcalc', debian: 'libchromaprint-tools', variable: 'FPCALC' },
  video: { name: 'ffmpeg', debian: 'ffmpeg', variable: 'FFMPEG' },
} as const;

function describeProgram(kind: keyof typeof DECODERS, program: string | undefined): string {
  if (program !== undefined) return `edited versions are found, with ${program}`;
  const { name, debian, variable } = DECODERS[kind];
  return `only identical bytes are found: install ${name} (apt-get install ${debian}), or set ${variable} to its path`;
}

function describePdf({ pdftoppm, pdftotext }: Config['search']): string {
  return [
    pdftotext === undefined
      ? 'only identical bytes are found: install pdftotext (apt-get install poppler-utils), or set PDFTOTEXT to its path'
      : `edited versions are found, with ${pdftotext}`,
    pdftoppm === undefined
      ? 'no thumbnails are drawn: install pdftoppm (apt-get install poppler-utils), or set PDFTOPPM to its path'
      : `thumbnails are drawn, with ${pdftoppm}`,
  ].join('; ');
}

async function describeLogKey(place: Config['logKey']): Promise<string> {
  if (place.kind === 'none') return 'the log is not signed: set SERVER_SIGNING_KEY to 64 hex digits';
  if (place.kind === 'memory')
    return 'signed with a key that is lost on restart: set SERVER_SIGNING_KEY or DATA_DIR';
  if (place.kind === 'command') return `signed by the command ${place.command.join(' ')}`;
  const seedHex = await readSigningKey(place);
  if (seedHex === undefined)
    return 'will be signed with a key that the service creates in DATA_DIR at its first start';
  const source = place.kind === 'given' ? 'SERVER_SIGNING_KEY' : 'DATA_DIR';
  return `signed with the key of ${source}; its public key is ${createSigner(seedHex).publicKeyHex}`;
}
