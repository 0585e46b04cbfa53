import { setNewest } from '../../work/set-newest.js';
import { UNNAMED } from '../unnamed-statement.js';
import type { ResultRows, ResultShape } from './protocol.js';

/** Maximum number of prepared statements. The engine keeps a plan of each in memory. */
const MAX_STATEMENTS = 500;
/** Expected duration of a statement beyond MAX_STATEMENTS: such a statement is not prepared or measured. */
const UNKEPT_MS = 1;
/** Expected duration of a statement that begins with `UNNAMED`. The queue sends such a statement alone. */
const UNNAMED_MS = 5;
/** A slow run raises the expected duration immediately. A fast run lowers it by a quarter of the difference. */
const PACE_RUNS = 4;

/** Weight of an array element, in characters. */
const MEMBER_WEIGHT = 64;
/** Maximum number of owners with separate expected durations. */
const MAX_OWNERS = 200;

interface PreparedStatement {
  /** A statement can be slow for one project and fast for another. */
  owner: string;
  text: string;
  parameters: readonly unknown[];
}

export interface PreparedStatements {
  /** Returns the number of a statement, and its text if the thread does not have it. Number 0: not prepared. */
  find(text: string): { statement: number; text: string | undefined };
  /** Infinite for a statement that has not run yet, so that it is sent alone. */
  expectedMs(statement: PreparedStatement): number;
  /** Records the duration of a run, also of a failed one. */
  learn(statement: PreparedStatement, tookMs: number): void;
  toRows(statement: number, rows: ResultRows): unknown[];
}

export function createPreparedStatements(): PreparedStatements {
  const numbers = new Map<string, number>();
  const shapes = new Map<number, ResultShape>();
  const paces = createPaces();
  return {
    find(text) {
      const known = numbers.get(text);
      if (known !== undefined) return { statement: known, text: undefined };
      if (text.startsWith(UNNAMED) || numbers.size >= MAX_STATEMENTS) return { statement: 0, text };
      numbers.set(text, numbers.size + 1);
      return { statement: numbers.size, text };
    },
    expectedMs({ owner, text, parameters }) {
      if (text.startsWith(UNNAMED)) return UNNAMED_MS;
      const pace = paces.get(owner, text);
      if (pace !== undefined) return pace * weightOf(parameters);
      return numbers.size >= MAX_STATEMENTS && !numbers.has(text) ? UNKEPT_MS : Number.POSITIVE_INFINITY;
    },
    learn({ owner, text, parameters }, tookMs) {
      if (numbers.has(text)) paces.learn({ owner, text, pace: tookMs / weightOf(parameters) });
    },
    toRows(statement, { rowCount, values, shape }) {
      if (shape !== undefined) shapes.set(statement, shape);
      return toObjects({ rowCount, values }, shape ?? shapes.get(statement));
    },
  };
}

/** Milliseconds per unit of weight. Before an owner's first run, `get` returns the value of all owners. */
function createPaces() {
  const ofAll = new Map<string, number>();
  const byOwner = new Map<string, Map<string, number>>();

  function note(paces: Map<string, number>, text: string, pace: number): void {
    const before = paces.get(text) ?? pace;
    paces.set(text, pace > before ? pace : before + (pace - before) / PACE_RUNS);
  }

  return {
    get: (owner: string, text: string) => byOwner.get(owner)?.get(text) ?? ofAll.get(text),
    learn({ owner, text, pace }: { owner: string; text: string; pace: number }): void {
      const own = byOwner.get(owner) ?? new Map<string, number>();
      setNewest(byOwner, owner, own, MAX_OWNERS);
      note(own, text, pace);
      note(ofAll, text, pace);
    },
  };
}

/** Estimates the work of a statement: a constant plus the length of its parameters. */
function weightOf(parameters: readonly unknown[]): number {
  let weight = 1_000;
  for (const parameter of parameters) {
    if (typeof parameter === 'string' || parameter instanceof Uint8Array) weight += parameter.length;
    else if (Array.isArray(parameter)) weight += MEMBER_WEIGHT * parameter.length;
  }
  return weight;
}

function toObjects({ rowCount, values }: ResultRows, shape: ResultShape | undefined): unknown[] {
  const { names, json } = shape ?? { names: [], json: [] };
  const width = names.length;
  return Array.from({ length: rowCount }, (_, row) => {
    const object: Record<string, unknown> = {};
    for (let column = 0; column < width; column++) object[names[column] ?? ''] = values[row * width + column];
    for (const column of json) {
      const name = names[column] ?? '';
      const text = object[name];
      if (typeof text === 'string') object[name] = JSON.parse(text);
    }
    return object;
  });
}
