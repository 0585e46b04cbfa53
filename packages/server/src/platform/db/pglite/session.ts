import type { PGlite } from '@electric-sql/pglite';
import type { EngineWorkerAnswer, Failure, ResultRows, ResultShape } from './protocol.js';
import {
  createMessageWriter,
  type EngineAnswer,
  type EngineRefusal,
  type ResultColumn,
  readAnswer,
  readRow,
} from './wire.js';

/** The only session of an engine. Calls must not overlap. */
export interface EngineSession {
  query(call: {
    statement: number;
    text: string | undefined;
    parameters: readonly unknown[];
  }): Promise<EngineWorkerAnswer>;
  exec(text: string): Promise<EngineWorkerAnswer>;
  /** Analyzes a table that has grown, if no transaction is open. */
  tend(): Promise<void>;
}

interface SessionStatement {
  name: string;
  text: string;
  /** Undefined until the engine has parsed the statement. */
  parsed: Parsed | undefined;
}

interface Parsed {
  parameterTypes: readonly number[];
  /** A parser for each column. Undefined for a column whose text is the value. */
  parsers: readonly (((text: string) => unknown) | undefined)[];
  shape: ResultShape;
  /** Whether `shape` has been sent to the main thread. */
  isDescribed: boolean;
}

const BYTEA = 17;
/** After this number of messages or bytes, the session looks for tables that have grown. */
const LOOK_AFTER = { messages: 200, bytes: 256 * 1024 };
/** Number of the statement LIST_GROWN. Callers number their statements from 1. */
const GROWN = -1;
/**
 * PGlite has no autovacuum. Without new statistics, the plan for a small table stays in use after the table has grown.
 * So the session analyzes a table when its number of pages has doubled since the last analysis (`relpages`). It
 * analyzes only indexed columns, because the analysis of long texts is slow.
 */
const LIST_GROWN = `select c.oid::regclass || coalesce(
    (select ' (' || string_agg(distinct quote_ident(a.attname), ', ') || ')'
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = c.oid), '') as target
  from pg_class c, lateral (select pg_relation_size(c.oid) / 8192 as now,
    case when c.reltuples < 0 then 1 else greatest(c.relpages, 1) end as before) pages
  where c.relkind = 'r' and c.oid >= 16384 and pages.now >= 2 * pages.before`;
const JSON_TYPES = [114, 3802];
/** The error "cached plan must not change result type". */
const isStale = ({ C, R }: EngineRefusal) => C === '0A000' && R === 'RevalidateCachedQuery';

/** Creates the session. Its results are the same as those of PGlite's own `query`, except that JSON stays text. */
export function createSession(db: PGlite): EngineSession {
  const writer = createMessageWriter();
  const statements = new Map<number, SessionStatement>();
  const unnamed: SessionStatement = { name: '', text: '', parsed: undefined };
  let sent = { messages: 0, bytes: 0 };
  let grown: readonly unknown[] = [];
  let isIdle = true;

  async function send(): Promise<EngineAnswer> {
    const message = writer.take();
    sent.messages += 1;
    sent.bytes += message.length;
    const answer = await ask(db, message);
    isIdle = answer.status === 'I';
    return answer;
  }

  async function prepare(statement: SessionStatement): Promise<EngineRefusal | undefined> {
    writer.parse(statement.name, statement.text);
    writer.describe(statement.name);
    writer.sync();
    const { refusal, parameterTypes, columns } = await send();
    if (refusal !== undefined) return refusal;
    const parsers = columns.map(({ type }) => toParser(db, type));
    statement.parsed = { parameterTypes, parsers, shape: toShape(columns), isDescribed: false };
    return undefined;
  }

  function find(number: number, text: string | undefined): SessionStatement {
    if (number === 0) return Object.assign(unnamed, { text: text ?? '', parsed: undefined });
    const known = statements.get(number);
    if (known !== undefined) return known;
    const statement: SessionStatement = { name: `c${number}`, text: text ?? '', parsed: undefined };
    statements.set(number, statement);
    return statement;
  }

  /**
   * If the result type of a statement has changed, gives the statement a new name, so that PGlite parses it again.
   * Outside of a transaction, also repeats the run.
   */
  async function run(
    statement: SessionStatement,
    parameters: readonly unknown[],
  ): Promise<EngineWorkerAnswer> {
    const refused = statement.parsed === undefined ? await prepare(statement) : undefined;
    const { parsed } = statement;
    if (refused !== undefined || parsed === undefined) return { failure: toFailure(refused ?? {}) };
    writer.bind(
      statement.name,
      parameters.map((parameter, position) => toText(db, parameter, parsed.parameterTypes[position])),
    );
    writer.execute();
    writer.sync();
    const answer = await send();
    const { refusal, status } = answer;
    if (refusal === undefined) return toRows(answer, parsed);
    if (!isStale(refusal) || statement.name === '') return { failure: toFailure(refusal) };
    statement.name = `${statement.name}_`;
    statement.parsed = undefined;
    return status === 'I' ? run(statement, parameters) : { failure: toFailure(refusal) };
  }

  return {
    query: ({ statement, text, parameters }) => run(find(statement, text), parameters),
    async exec(text) {
      writer.query(text);
      const { refusal } = await send();
      return refusal === undefined ? { rowCount: 0, values: [] } : { failure: toFailure(refusal) };
    },
    async tend() {
      if (!isIdle) return;
      if (sent.messages >= LOOK_AFTER.messages || sent.bytes >= LOOK_AFTER.bytes) {
        sent = { messages: 0, bytes: 0 };
        const answer = await run(find(GROWN, LIST_GROWN), []);
        grown = 'values' in answer ? answer.values : [];
      }
      const [target, ...others] = grown;
      grown = others;
      if (target === undefined) return;
      // If the analysis fails, a later check finds the table again.
      writer.query(`analyze ${target}`);
      await send();
    },
  };
}

function toText(db: PGlite, parameter: unknown, type: number | undefined): string | null {
  if (parameter === null || parameter === undefined) return null;
  if (type === BYTEA && parameter instanceof Uint8Array)
    return `\\x${Buffer.from(parameter).toString('hex')}`;
  const serialize = type === undefined ? undefined : db.serializers[type];
  return serialize === undefined ? String(parameter) : serialize(parameter);
}

async function ask(db: PGlite, message: Uint8Array): Promise<EngineAnswer> {
  const chunks: Buffer[] = [];
  await db.execProtocolRawStream(message, {
    syncToFs: false,
    // Copy the bytes, since the engine reuses their memory.
    onRawData: (bytes) => void chunks.push(Buffer.from(bytes)),
  });
  const [only] = chunks;
  return readAnswer(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
}

function toRows({ rows, bytes }: EngineAnswer, parsed: Parsed): ResultRows {
  const values: unknown[] = [];
  const { parsers } = parsed;
  const keep = (text: string | null, column: number) => {
    const parser = text === null ? undefined : parsers[column];
    values.push(text === null || parser === undefined ? text : parser(text));
  };
  for (const at of rows) readRow(bytes, at, keep);
  const result: ResultRows = { rowCount: rows.length, values };
  if (!parsed.isDescribed) result.shape = parsed.shape;
  parsed.isDescribed = true;
  return result;
}

function toShape(columns: readonly ResultColumn[]): ResultShape {
  const json = columns.flatMap(({ type }, place) => (JSON_TYPES.includes(type) ? [place] : []));
  return { names: columns.map(({ name }) => name), json };
}

function toParser(db: PGlite, type: number): ((text: string) => unknown) | undefined {
  if (JSON_TYPES.includes(type)) return undefined;
  if (type === BYTEA) return (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
  const parser = db.parsers[type];
  return parser === undefined ? undefined : (text) => parser(text, type);
}

function toFailure({ M, C, n }: EngineRefusal): Failure {
  return { message: M ?? 'The engine refused the statement', sqlState: C, constraint: n };
}
