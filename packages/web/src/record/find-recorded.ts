import type { Action, Entity, TitledResource } from '@colophon/model';
import { ApiError, type Client } from '@colophon/sdk';
import { MAX_CHARACTERS, MAX_WORDS, NO_FILTERS, toResourceQuery } from '../library/filters.js';
import { nameAction } from '../shell/name-action.js';
import { nameContent } from '../shell/short-labels.js';
import type { Input } from './draft.js';

/** The data to search. `titled`: contents whose titles have every searched word. `actions`: newest first. */
interface Recorded {
  titled: readonly Pick<TitledResource, 'cid' | 'title'>[];
  actions: AsyncIterable<Action>;
  people: readonly Pick<Entity, 'id' | 'name'>[];
}

/** Maximum number of actions that a search reads. */
export const LOOKED_THROUGH = 2_000;
/** Maximum number of matches by title, so that there is room for other matches. */
const TITLED = 5;
/** Maximum number of matches that a search returns. */
export const SHOWN = 10;

/**
 * Returns the contents that match every word: first `titled`, then the outputs of `actions`. An output matches by the
 * sentence about its action, the time of the action (`2026-11-21`), and its content id. Ignores case.
 */
export async function findRecorded({ titled, actions, people }: Recorded, words: string): Promise<Input[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Input[] = titled.map(({ cid, title = '' }) => ({
    cid,
    name: nameContent(cid, { [cid]: title }),
  }));
  let looked = 0;
  for await (const action of actions) {
    const sentence = nameAction(action, { entities: people });
    for (const cid of action.outputCids) {
      const text = `${sentence} ${action.timestamp} ${cid}`.toLowerCase();
      const isNew = found.every((input) => input.cid !== cid);
      if (isNew && wanted.every((word) => text.includes(word)))
        found.push({ cid, name: `${sentence} (…${cid.slice(-6)})` });
    }
    looked += 1;
    if (found.length >= SHOWN || looked >= LOOKED_THROUGH) break;
  }
  return found.slice(0, SHOWN);
}

/**
 * Returns the newest contents whose titles have every word. Returns none if the service cannot search for these words.
 */
export async function findTitled(
  { resources }: Pick<Client, 'resources'>,
  words: string,
  signal: AbortSignal,
): Promise<readonly TitledResource[]> {
  const { title } = toResourceQuery({ ...NO_FILTERS, title: words });
  const isLong = words.length > MAX_CHARACTERS || words.trim().split(/\s+/).length > MAX_WORDS;
  if (title === undefined || isLong) return [];
  try {
    return (await resources.list({ title, limit: TITLED }, { signal })).resources;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'InvalidField') return [];
    throw error;
  }
}
