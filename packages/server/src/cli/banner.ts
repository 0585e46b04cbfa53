import type { Config } from '../config.js';

/** Returns a text with the address of the service, the location of its data, and commands to copy. */
export function writeBanner(
  { store, blobs, pinning, staticKeys }: Config,
  {
    port,
    firstKey,
    firstToken,
    firstAccountPath,
  }: Record<'firstKey' | 'firstToken' | 'firstAccountPath', string | undefined> & { port: number },
): string {
  const base = `http://localhost:${port}`;
  const key = firstKey ?? (staticKeys.length > 0 ? '<a key of API_KEYS>' : '<your API key>');
  const json = '{"entity":{"role":"human","name":"Ann"},"action":{"type":"create"}}';
  return `
Colophon listens on ${base}

Records: ${describeStore(store)}
Bytes:   ${describeBlobs(blobs, pinning)}
${firstKey === undefined ? '' : `API key: ${firstKey}   (of project "default"; shown only now)\n`}
In a browser${firstToken === undefined ? '' : ' (this link contains a token for the key; it works once)'}:

  ${base}/app/${firstToken === undefined ? '' : `first/${firstToken}`}

${firstKey === undefined ? '' : `In another terminal, for the command line and the SDK:\n\n  export COLOPHON_URL=${base}\n  export COLOPHON_API_KEY=${firstKey}\n\n`}${firstAccountPath === undefined ? '' : `To manage projects in the browser, create the first account with this link (once, within a day):\n\n  ${base}${firstAccountPath}\n\nLinks of earlier starts no longer work.\n`}
Record a file:

  curl -H 'Authorization: Bearer ${key}' \\
    -F 'file=@photo.jpg' -F 'json=${json}' ${base}/v1/activity

Read its history, with the cid from the response:

  curl -H 'Authorization: Bearer ${key}' ${base}/v1/bundle/<cid>

`;
}

function describeStore(store: Config['store']): string {
  if (store.supabase === undefined) return describeLocation(store);
  return `Supabase at ${new URL(store.supabase.url).host}\nProjects and keys: ${describeLocation(store)}`;
}

function describeLocation(store: Config['store']): string {
  switch (store.kind) {
    case 'memory':
      return 'in memory: LOST ON RESTART. Set DATA_DIR=<directory> or DATABASE_URL to keep them.';
    case 'directory':
      return store.directory;
    case 'postgresql':
      return `PostgreSQL at ${new URL(store.url).host}`;
  }
}

function describeBlobs(blobs: Config['blobs'], { pinata }: Config['pinning']): string {
  switch (blobs.kind) {
    case 'memory':
      if (pinata !== undefined) return 'on Pinata, and cached in memory';
      return 'in memory: LOST ON RESTART. Set DATA_DIR=<directory> to keep them.';
    case 'dir':
      return blobs.directory;
    case 's3':
      return `bucket ${blobs.bucket} at ${blobs.endpoint === undefined ? 'Amazon S3' : new URL(blobs.endpoint).host}`;
  }
}
