import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';

/** Replaces the answer of the database. */
export interface Instead {
  status: number;
  body: string;
  type?: string;
  location?: string;
}

/** PostgREST's protocol for functions. Checks keys like the gateway of Supabase. */
export interface Postgrest {
  url: string;
  calls: string[];
  /**
   * Plants a fault in a call: another answer, a closed connection (`reset`), or no answer (`silence`). With undefined,
   * the database answers.
   */
  intercept: ((name: string) => Instead | 'reset' | 'silence' | undefined) | undefined;
  stop(): Promise<void>;
}

interface Call {
  name: string;
  role: string;
  body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Serves `POST /rest/v1/rpc/<function>` like PostgREST 12: a JSON object has the named arguments, the key sets the role
 * for one transaction, and errors are JSON with PostgREST's statuses.
 */
export async function startPostgrest(
  authenticatorUrl: string,
  { roles, port = 0 }: { roles: Readonly<Record<string, string>>; port?: number },
): Promise<Postgrest> {
  const pool = new pg.Pool({ connectionString: authenticatorUrl, max: 10 });
  pool.on('error', () => {});
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await buffer(request)).toString();
    const [, name] = /^\/rest\/v1\/rpc\/(\w+)$/.exec(request.url ?? '') ?? [];
    if (name === undefined || request.method !== 'POST')
      return reply(response, { status: 404, body: '{"message":"no Route matched with those values"}' });
    const key = String(request.headers.apikey);
    const role = Object.hasOwn(roles, key) ? roles[key] : undefined;
    if (role === undefined || request.headers.authorization !== `Bearer ${key}`)
      return reply(response, { status: 401, body: '{"message":"Invalid API key"}' });
    served.calls.push(name);
    const instead = served.intercept?.(name);
    if (instead === 'silence') return;
    if (instead === 'reset') return void request.socket.destroy();
    reply(response, instead ?? (await run(pool, { name, role, body })));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => reply(response, { status: 500, body: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const served: Postgrest = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    intercept: undefined,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await pool.end();
    },
  };
  return served;
}

function reply(response: ServerResponse, { status, body, type = JSON_TYPE, location }: Instead): void {
  const led = location === undefined ? {} : { location };
  response.writeHead(status, { 'content-type': type, ...led }).end(body);
}

async function run(pool: pg.Pool, call: Call): Promise<Instead> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level read committed');
    await client.query("select set_config('role', $1, true)", [call.role]);
    const answer = await callFunction(client, call);
    await client.query('commit');
    return answer;
  } catch (error) {
    await client.query('rollback');
    return refusal(error as pg.DatabaseError, call.role);
  } finally {
    client.release();
  }
}

/** Calls the function with this name whose parameters have the names of the members of the body. */
async function callFunction(client: pg.PoolClient, { name, body }: Call): Promise<Instead> {
  const given = Object.keys(JSON.parse(body)).toSorted();
  const { rows } = await client.query<{ names: string[] | null; types: string[] }>(
    `select p.proargnames as names,
       array(select format_type(t, null) from unnest(p.proargtypes) with ordinality u(t, o) order by o) as types
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = $1`,
    [name],
  );
  const found = rows.find(({ names }) => (names ?? []).toSorted().join() === given.join());
  if (found === undefined) return notFound(name);
  const names = (found.names ?? []).map((one) => pg.escapeIdentifier(one));
  const columns = names.map((one, index) => `${one} ${found.types[index]}`).join(', ');
  const passed = names.map((one) => `${one} => given.${one}`).join(', ');
  const from = names.length === 0 ? '' : `from json_to_record($1::json) as given(${columns})`;
  const text = `select to_json(public.${pg.escapeIdentifier(name)}(${passed}))::text as answer ${from}`;
  const answered = await client.query<{ answer: string }>(text, names.length === 0 ? [] : [body]);
  return { status: 200, body: answered.rows[0]?.answer ?? 'null' };
}

function notFound(name: string): Instead {
  const message = `Could not find the function public.${name} in the schema cache`;
  return { status: 404, body: JSON.stringify({ code: 'PGRST202', details: null, hint: null, message }) };
}

/** SQLSTATEs: https://docs.postgrest.org/en/v12/references/errors.html */
const STATUSES: [RegExp, number][] = [
  [/^08/, 503],
  [/^09|^0L|^0P/, 403],
  [/^23503|^23505/, 409],
  [/^25006/, 405],
  [/^25|^2D|^38|^39|^3B|^40|^55|^57|^58|^F0|^HV|^XX/, 500],
  [/^28/, 403],
  [/^53/, 503],
  [/^54/, 413],
  [/^42883|^42P01/, 404],
];

function refusal({ code = 'XX000', message, detail, hint }: pg.DatabaseError, role: string): Instead {
  const denied = role === 'anon' ? 401 : 403;
  const status = code === '42501' ? denied : (STATUSES.find(([codes]) => codes.test(code))?.[1] ?? 400);
  return { status, body: JSON.stringify({ code, details: detail ?? null, hint: hint ?? null, message }) };
}
