import type { PinContent, Pinner } from './pinner.js';
import { ask, type Fetch, openLater, readIfPresent, readText, toForm } from './pinning-request.js';

/** Larger content is sent in pieces (Pinata SDK 2.5: 90 MiB). */
const LARGEST_FORM_BYTES = 94_371_840;
const PIECE_BYTES = 50 * 2 ** 20;
const UPLOADS = 'https://uploads.pinata.cloud';
const PUBLIC_GATEWAY = 'https://gateway.pinata.cloud';

export interface PinataAccount {
  jwt: string;
  /** The account's own gateway. The query of this address may contain a token. */
  gateway: string | undefined;
  fetch?: Fetch | undefined;
  /** The upload host, without `/v3/files`; Pinata's own by default. */
  uploadUrl?: string | undefined;
  /** Only tests set this limit. */
  largestFormBytes?: number;
  pieceBytes?: number;
}

/** Pins on Pinata, in its public network. */
export function createPinataPinner(account: PinataAccount): Pinner {
  const { gateway, largestFormBytes = LARGEST_FORM_BYTES } = account;
  return {
    provider: 'pinata',
    async pin(content, signal) {
      const send = content.sizeBytes > largestFormBytes ? sendInPieces : sendForm;
      const cid = await send(account, content, signal);
      return { cid, uri: gateway === undefined ? `ipfs://${cid}` : toGatewayUrl(gateway, cid, false) };
    },
    read: (cid, signal) =>
      readIfPresent(
        toGatewayUrl(gateway ?? PUBLIC_GATEWAY, cid, true),
        // Gateways redirect to a host name that contains the CID (IPFS subdomain gateways).
        { method: 'GET', redirect: 'follow', signal, fetch: account.fetch },
        ({ status }) => [404, 410].includes(status),
      ),
  };
}

const filesUrl = ({ uploadUrl = UPLOADS }: PinataAccount) => `${uploadUrl.replace(/\/+$/, '')}/v3/files`;
const authorization = ({ jwt }: PinataAccount) => ({ authorization: `Bearer ${jwt}` });

async function sendForm(account: PinataAccount, content: PinContent, signal: AbortSignal): Promise<string> {
  const { headers, body } = toForm({ network: 'public', name: content.cid, cid_version: 'v1' }, content);
  const sent = { ...headers, ...authorization(account) };
  const answer = await ask(filesUrl(account), {
    method: 'POST',
    headers: sent,
    body,
    signal,
    fetch: account.fetch,
  });
  const { data } = JSON.parse(await readText(answer)) as { data?: { cid?: unknown } };
  return requireCid(data?.cid);
}

/** Uploads with Pinata's variant of the tus protocol 1.0. The response to the last piece contains the CID. */
async function sendInPieces(
  account: PinataAccount,
  content: PinContent,
  signal: AbortSignal,
): Promise<string> {
  const { pieceBytes = PIECE_BYTES } = account;
  const metadata = {
    filename: content.cid,
    filetype: content.mimeType,
    network: 'public',
    cid_version: 'v1',
  };
  const begun = await ask(filesUrl(account), {
    method: 'POST',
    headers: {
      ...authorization(account),
      'upload-length': String(content.sizeBytes),
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    },
    signal,
    fetch: account.fetch,
  });
  const url = new URL(requireHeader(begun, 'location'), filesUrl(account)).href;
  await readText(begun);
  let last = begun;
  for (let start = 0; start < content.sizeBytes; start += pieceBytes) {
    const end = Math.min(start + pieceBytes, content.sizeBytes) - 1;
    last = await ask(url, {
      method: 'PATCH',
      headers: {
        ...authorization(account),
        'content-type': 'application/offset+octet-stream',
        'content-length': String(end - start + 1),
        'upload-offset': String(start),
      },
      body: openLater(content, { start, end }),
      signal,
      fetch: account.fetch,
    });
    await readText(last);
  }
  return requireCid(last.headers.get('upload-cid'));
}

function requireHeader({ headers }: Response, name: string): string {
  const value = headers.get(name);
  if (value === null) throw new Error(`Pinata's answer has no header ${name}`);
  return value;
}

function requireCid(cid: unknown): string {
  if (typeof cid !== 'string' || cid === '') throw new Error('Pinata returned no CID');
  return cid;
}

/** The query can contain a token, so `withQuery` must be false for a URL that users see. */
function toGatewayUrl(gateway: string, cid: string, withQuery: boolean): string {
  const url = new URL(gateway);
  url.pathname = `${url.pathname.replace(/(\/ipfs)?\/*$/, '')}/ipfs/${cid}`;
  if (!withQuery) url.search = '';
  return url.href;
}
