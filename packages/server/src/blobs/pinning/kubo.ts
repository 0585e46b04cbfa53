import type { Pinner } from './pinner.js';
import { ask, type Fetch, readIfPresent, readText, toForm } from './pinning-request.js';

/**
 * With these options of `add` (Kubo 0.35), every node computes the same CID as the service: that of the profile
 * `unixfs-v1-2025` (IPIP-499).
 */
const ADD_OPTIONS = new URLSearchParams({
  'cid-version': '1',
  hash: 'sha2-256',
  'raw-leaves': 'true',
  chunker: 'size-1048576',
  'max-file-links': '1024',
  trickle: 'false',
  inline: 'false',
  'wrap-with-directory': 'false',
  pin: 'true',
  progress: 'false',
});

/** `apiUrl`: without `/api/v0`. `token`: if the node requires one (Kubo's `API.Authorizations`). */
export interface KuboNode {
  apiUrl: string;
  token?: string | undefined;
  fetch?: Fetch | undefined;
}

export function createKuboPinner({ apiUrl, token, fetch }: KuboNode): Pinner {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const rpc = (command: string) => `${apiUrl.replace(/\/+$/, '')}/api/v0/${command}`;
  return {
    provider: 'kubo',
    async pin(content, signal) {
      const form = toForm({}, content);
      const answer = await ask(rpc(`add?${ADD_OPTIONS}`), {
        method: 'POST',
        headers: { ...form.headers, ...authorization },
        body: form.body,
        signal,
        fetch,
      });
      const cid = readHash(await readText(answer));
      return { cid, uri: `ipfs://${cid}` };
    },
    read: (cid, signal) =>
      // Kubo responds with 500 to every failure. With `offline`, the message for a missing block contains `not found`.
      readIfPresent(
        rpc(`cat?arg=${cid}&offline=true`),
        { method: 'POST', headers: authorization, signal, fetch },
        ({ message }) => /not found/.test(message),
      ),
  };
}

/** The response has one JSON text per line. An incomplete response lacks the last line, which describes the file. */
function readHash(text: string): string {
  const last = text.trim().split('\n').at(-1) ?? '';
  const { Hash } = last.startsWith('{') ? (JSON.parse(last) as { Hash?: unknown }) : {};
  if (typeof Hash !== 'string') throw new Error(`Kubo returned no hash: ${last.slice(0, 200)}`);
  return Hash;
}
