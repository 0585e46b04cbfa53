import { type Config, readConfig } from '../config.js';

/** `colophon doctor`: prints the effective configuration, secrets masked; every problem when it is wrong. */
export function doctorCommand(): void {
  const rows = describe(readConfig());
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${value}\n`);
}

function describe(config: Config): [string, string][] {
  const { store, blobs } = config;
  return [
    ['version', config.version],
    ['mode', config.production ? 'production' : 'development'],
    ['address', `${config.host}:${config.port}`],
    ['log level', config.logLevel],
    [
      'records',
      store.kind === 'postgresql'
        ? maskUrl(store.url)
        : store.kind === 'memory'
          ? 'in memory'
          : store.directory,
    ],
    ['migrations', store.kind === 'postgresql' ? maskUrl(store.directUrl ?? store.url) : 'same'],
    ['bytes', blobs.kind === 'dir' ? blobs.directory : `in memory, at most ${blobs.capacityBytes} bytes`],
    ['static keys', `${config.staticKeys.length}`],
    ['largest upload', `${config.maxUploadBytes} bytes`],
  ];
}

function maskUrl(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  url.search = '';
  return url.toString();
}
