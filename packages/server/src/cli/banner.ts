import type { Config } from '../config.js';

/** A later start can have only some of these. */
interface FirstSteps {
  firstKey: string | undefined;
  firstToken: string | undefined;
  firstAccountPath: string | undefined;
}

export function writeBanner(
  { store, blobs, pinning, staticKeys }: Config,
  { port, ...first }: FirstSteps & { port: number },
): string {
  const { firstKey } = first;
  const base = `http://localhost:${port}`;
  const key = firstKey ?? (staticKeys.length > 0 ? '<a key of API_KEYS>' : '<your API key>');
  const json = '{"entity":{"role":"human","name":"Ann"},"action":{"type":"create"}}';
  return `
Colophon listens on ${base}

Records: ${describeStore(store)}
Bytes:   ${describeBlobs(blobs, pinning)}
${firstKey === undefined ? '' : `API key: ${firstKey}   (of project "default"; shown only now)\n`}
${writeLinks(base, first)}
${firstKey === undefined ? '' : `In another terminal, for the command line and the SDK:\n\n  export COLOPHON_URL=${base}\n  export COLOPHON_API_KEY=${firstKey}\n\n`}Record a file:

  curl -H 'Authorization: Bearer ${key}' \\
    -F 'file=@photo.jpg' -F 'json=${json}' ${base}/v1/activity

Read its history, with the cid from the response:

  curl -H 'Authorization: Bearer ${key}' ${base}/v1/bundle/<cid>

`;
}

function writeLinks(base: string, { firstToken, firstAccountPath }: FirstSteps): string {
  const keyLink = `${base}/app/first/${firstToken}`;
  if (firstAccountPath === undefined) {
    return firstToken === undefined
      ? `In a browser:\n\n  ${base}/app/\n`
      : `In a browser, this link opens the page with the key above. It works once:\n\n  ${keyLink}\n`;
  }
  const without =
    firstToken === undefined
      ? `Or open the page without an account, and enter a project key there:\n\n  ${base}/app/\n`
      : `Or try the page without an account. This link opens it with the key above, and works once:\n\n  ${keyLink}\n`;
  return `In a browser, create your account with this link. It works once, within 24 hours:

  ${base}${firstAccountPath}

Links of earlier starts no longer work.

${without}`;
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
