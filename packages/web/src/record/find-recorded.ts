import type { Action, Entity } from '@colophon/model';
import { tellAction } from '../shell/tell-action.js';
import type { Input } from './draft.js';

/** What was recorded, newest first, as it comes from the service. */
interface Recorded {
  actions: AsyncIterable<Action>;
  people: readonly Pick<Entity, 'id' | 'name'>[];
}

/** How far back is looked, and how much of what is found is shown. */
export const LOOKED_THROUGH = 2_000;
export const SHOWN = 10;

/**
 * The newest contents of which every word is told: who did it, what, with which tool, the day (`2026-11-21`), or the
 * content id. A word counts anywhere in it, in capitals or not.
 */
export async function findRecorded({ actions, people }: Recorded, words: string): Promise<Input[]> {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found: Input[] = [];
  let looked = 0;
  for await (const action of actions) {
    const told = tellAction(action, people);
    for (const cid of action.outputCids) {
      const text = `${told} ${action.timestamp} ${cid}`.toLowerCase();
      const isNew = found.every((input) => input.cid !== cid);
      if (isNew && wanted.every((word) => text.includes(word)))
        found.push({ cid, name: `${told} (…${cid.slice(-6)})` });
    }
    looked += 1;
    if (found.length >= SHOWN || looked >= LOOKED_THROUGH) break;
  }
  return found.slice(0, SHOWN);
}
