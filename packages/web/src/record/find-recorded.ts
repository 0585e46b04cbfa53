import {
  type Action,
  correctedActions,
  type Entity,
  namedCorrection,
  type TitledResource,
} from '@colophon/model';
import { ApiError, type Client } from '@colophon/sdk';
import { MAX_CHARACTERS, MAX_WORDS, NO_FILTERS, toResourceQuery } from '../library/filters.js';
import { nameAction } from '../shell/name-action.js';
import { nameContent } from '../shell/short-labels.js';
import type { Input } from './draft.js';

/** `titled`: contents whose titles have every word. `actions`: newest first. */
interface Recorded {
  titled: readonly Pick<TitledResource, 'cid' | 'title'>[];
  actions: AsyncIterable<Action>;
  people: readonly Pick<Entity, 'id' | 'name'>[];
}

export const LOOKED_THROUGH = 2_000;
/** Limited so that there is room for other matches. */
const TITLED = 5;
export const SHOWN = 10;

/** Call the function with each action, newest first, because a correction is newer than the corrected action. */
function createIsCorrected(): (action: Action) => boolean {
  const naming = new Map<string, Action>();
  return (action) => {
    const later = naming.get(action.id);
    const named = namedCorrection(action);
    if (named !== undefined) naming.set(named, action);
    return later !== undefined && correctedActions([action, later]).has(action.id);
  };
}

/** Returns each output once, with its newest uncorrected action. `actions`: newest first. */
export function listPresent(actions: readonly Action[]): { cid: string; action: Action }[] {
  const isCorrected = createIsCorrected();
  const present = new Map<string, { cid: string; action: Action }>();
  for (const action of actions.filter((one) => !isCorrected(one)))
    for (const cid of action.outputCids) if (!present.has(cid)) present.set(cid, { cid, action });
  return [...present.values()];
}

/**
 * Returns the contents that match every word: first `titled`, then outputs by sentence, time and content id of their
 * actions. Ignores case and corrected actions.
 */
export async function findRecorded({ titled, actions, people }: Recorded, words: string): Promise<Input[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Input[] = titled.map(({ cid, title = '' }) => ({
    cid,
    name: nameContent(cid, { [cid]: title }),
  }));
  const isCorrected = createIsCorrected();
  const add = (action: Action) => {
    const sentence = nameAction(action, { entities: people });
    for (const cid of action.outputCids) {
      const text = `${sentence} ${action.timestamp} ${cid}`.toLowerCase();
      const isNew = found.every((input) => input.cid !== cid);
      if (isNew && wanted.every((word) => text.includes(word)))
        found.push({ cid, name: `${sentence} (…${cid.slice(-6)})` });
    }
  };
  let looked = 0;
  for await (const action of actions) {
    looked += 1;
    if (!isCorrected(action)) add(action);
    if (found.length >= SHOWN || looked >= LOOKED_THROUGH) break;
  }
  return found.slice(0, SHOWN);
}

/** Returns none if the service cannot search for these words. */
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
