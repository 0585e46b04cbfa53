import { PostgrestClient } from '@supabase/postgrest-js';
import { Agent, fetch as agentFetch } from 'undici';
import { ServiceError } from '../../../errors.js';
import { toDatabaseError, toOutage } from '../database.js';

export interface SupabaseLocation {
  url: string;
  serviceKey: string;
}

export interface RestCaller {
  /** Each call is one transaction. */
  call(name: string, parameters: object): Promise<unknown>;
  close(): Promise<void>;
}

/** The function does not exist, or the service key has no right to call it. */
export class NoSuchFunctionError extends Error {}

/** PostgREST's default number of database connections. Further calls wait in this process. */
const MAX_CONNECTIONS = 10;
const CONNECT_MS = 10_000;

interface RestRefusal {
  status: number;
  code: string;
  message: string;
}

/** A call without a response after `timeoutMs` throws `Unavailable`. */
export function createRestCaller({ url, serviceKey }: SupabaseLocation, timeoutMs: number): RestCaller {
  const dispatcher = new Agent({ connections: MAX_CONNECTIONS, connect: { timeout: CONNECT_MS } });
  const send = (input: string | URL, init: object) =>
    // Following a redirect would send the service key to another server.
    agentFetch(input, { ...init, dispatcher, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const client = new PostgrestClient(`${url.replace(/\/+$/, '')}/rest/v1`, {
    headers: { apikey: serviceKey, authorization: `Bearer ${serviceKey}` },
    fetch: send as typeof globalThis.fetch,
    retry: false,
  });
  return {
    async call(name, parameters) {
      const { data, error, status } = await client.rpc(name, parameters);
      if (error === null) return data;
      const message = error.message.replaceAll(serviceKey, '***').slice(0, 300);
      throw toError({ status, code: error.code ?? '', message });
    },
    close: () => dispatcher.destroy(),
  };
}

/** Codes of five characters come from PostgreSQL; all others come from PostgREST or a proxy. */
function toError({ status, code, message }: RestRefusal): Error {
  if (code === '42501' || code === 'PGRST202') return new NoSuchFunctionError(message);
  if (/^[0-9A-Z]{5}$/.test(code)) return toDatabaseError(message, { sqlState: code });
  const cause = new Error(`Supabase answered ${status} ${code}: ${message}`);
  if (status === 413) {
    return new ServiceError(
      'PayloadTooLarge',
      'The request is larger than Supabase accepts. Send fewer items or less data.',
      { cause },
    );
  }
  if (status === 401 || status === 403) {
    return toOutage(
      'Supabase rejected SUPABASE_SERVICE_KEY: set it to the service role key of the project.',
      cause,
    );
  }
  return toOutage('The service cannot reach Supabase.', cause);
}
