import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cidOf } from './content-ids.mjs';
import { collect } from './processes.mjs';
import { toActionBody } from './typical-action.mjs';

const INPUTS = [cidOf('input 1'), cidOf('input 2')];
const OUTPUT = cidOf('output');

/**
 * A UUID of version 7 and a CID of client and number, as SQL. They stand for what the service makes: time-ordered
 * ids, and chains in which an action consumes the outputs of the two before it.
 */
const NEW_ID = `regexp_replace(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0'),
  '^(.{8})(.{4})', '\\1-\\2-7') || substr(gen_random_uuid()::text, 16)`;
const cidSql = (number) => `'bafkrei' || md5(:client_id || '-' || ${number})
  || substr(md5(${number}::text), 1, 20)`;

/** The request whose item the script records. */
export const SCRIPTED_BODY = toActionBody({ inputs: INPUTS, output: OUTPUT, sessionId: 'session' });

/** A pgbench script whose every transaction records one item with the function that the service calls. */
function toScript(projects, item) {
  const [attribution] = item.attributions;
  const made = [
    [item.action.id, NEW_ID],
    [attribution.id, NEW_ID],
    [OUTPUT, cidSql(':n::bigint')],
    [INPUTS[1], cidSql('(:n::bigint - 1)')],
    [INPUTS[0], cidSql('(:n::bigint - 2)')],
  ];
  const text = made.reduce(
    (sql, [fixed, expression]) => `replace(${sql}, '${fixed}', ${expression})`,
    `'${withoutVariables(JSON.stringify([item]))}'`,
  );
  const list = projects.map((id) => `'${id}'`).join(',');
  return `\\set n :n + 1
\\set p 1 + :client_id % ${projects.length}
select provenance.record((array[${list}]::uuid[])[:p::int], ${text.replaceAll('\n', ' ')}::jsonb)
`;
}

/** The same JSON without what pgbench takes for variables, which it also finds inside of SQL strings: `:name`. */
function withoutVariables(json) {
  return json.replaceAll('":', '": ').replace(/:(?=[a-zA-Z_])/g, '\\u003a');
}

/** Measures how many actions like `item` so many connections record a second, each in one of the projects. */
export async function runPgbench(postgres, { database, projects, item, mode, clients, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-bench-script-'));
  try {
    const script = join(folder, 'record.sql');
    writeFileSync(script, toScript(projects, item));
    const place = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'colophon', database];
    const load = ['-c', String(clients), '-j', '1', '-T', String(seconds), '-M', mode, '-n'];
    const start = ['-D', `n=${Math.round(performance.timeOrigin + performance.now()) * 1000}`];
    const output = await collect([
      join(postgres.binaries, 'pgbench'),
      ...[...load, ...start, '-f', script, ...place],
    ]);
    const read = (pattern) => Number(pattern.exec(output)?.[1]);
    if (read(/failed transactions: (\d+)/) !== 0) throw new Error(`pgbench failed:\n${output}`);
    return {
      actions: read(/actually processed: (\d+)/),
      perSecond: read(/tps = ([\d.]+)/),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
