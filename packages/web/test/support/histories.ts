import type { Action, Bundle, Entity } from '@colophon/model';

const START_MS = Date.parse('2026-03-01T09:00:00.000Z');
const HOUR_MS = 3_600_000;
const TYPES = ['generate', 'transform', 'aggregate', 'transform', 'create', 'reference'] as const;
/** How much actions of a type use; one content unless it stands here. */
const INPUTS: Record<string, number> = { create: 0, reference: 0, aggregate: 3 };
/** How much the last action brings together. */
const ENDS = 12;
const PEOPLE = ['Ann', 'Bela', 'Chidi', 'Dalia', 'Emre', 'Fen', 'Gita', 'Hugo'] as const;
const TOOLS = [
  undefined,
  { provider: 'Acme', model: 'painter-7' },
  { provider: 'Globex', model: 'upscale' },
] as const;

/** An action by `by`, made `hour` hours after the start. */
export function actionOf(
  id: string,
  hour: number,
  given: Partial<
    Pick<Action, 'type' | 'performedBy' | 'inputCids' | 'outputCids' | 'aiTool' | 'extensions'>
  > = {},
): Action {
  const timestamp = new Date(START_MS + hour * HOUR_MS).toISOString();
  return {
    id,
    type: 'transform',
    performedBy: 'studio:ann',
    inputCids: [],
    outputCids: [],
    extensions: {},
    timestamp,
    recordedAt: timestamp,
    digest: `sha256:${'0'.repeat(64)}`,
    ...given,
  };
}

/** A person. */
export function entityOf(id: string, name: string, role = 'human'): Entity {
  return { id, role, name, createdAt: new Date(START_MS).toISOString() };
}

/** A bundle of these actions, with the people and contents that they name. */
export function bundleOf(cid: string, actions: Action[], entities: Entity[] = []): Bundle {
  const made = new Map(
    actions.flatMap((action) => action.outputCids.map((output) => [output, action] as const)),
  );
  return {
    cid,
    actions,
    entities:
      entities.length > 0
        ? entities
        : [...new Set(actions.map(({ performedBy }) => performedBy))].map((id) => entityOf(id, id)),
    attributions: [],
    resources: [...made].map(([output, { id, performedBy, timestamp }]) => ({
      cid: output,
      type: 'image',
      locations: [],
      createdBy: performedBy,
      rootAction: id,
      state: 'claimed' as const,
      createdAt: timestamp,
    })),
    complete: true,
  };
}

/**
 * A history of so many actions: threads that branch and join, by several people with several tools. The same every
 * time. It has about two nodes for every action, and ends in one content.
 */
export function grownBundle(actionCount: number): Bundle {
  const chance = createChance(7);
  const oneOf = <T>(list: readonly [T, ...T[]], lean = 1) =>
    list[Math.floor(chance() ** lean * list.length)] ?? list[0];
  const open: [string, ...string[]] = ['c-origin'];
  const actions: Action[] = [];
  for (let index = 0; index < actionCount; index++) {
    const isLast = index === actionCount - 1;
    const type = isLast ? 'aggregate' : oneOf(TYPES);
    const count = isLast ? ENDS : (INPUTS[type] ?? 1);
    const inputs = Array.from(
      { length: count },
      () => open[recent(chance(), open.length, actionCount)] ?? '',
    );
    const aiTool = oneOf(TOOLS);
    open.push(`c-${index}`);
    actions.push(
      actionOf(`a-${index}`, index + chance() / 2, {
        type,
        performedBy: toId(oneOf(PEOPLE, 2)),
        inputCids: [...new Set(inputs)],
        outputCids: [`c-${index}`],
        ...(aiTool === undefined || count === 0 ? {} : { aiTool }),
      }),
    );
  }
  const people = PEOPLE.map((name) => entityOf(toId(name), name));
  return bundleOf(`c-${actionCount - 1}`, actions, people);
}

function toId(name: string): string {
  return `crew:${name.toLowerCase()}`;
}

/** Mostly among the newest: the more is done, the more is done side by side. */
function recent(chance: number, length: number, actionCount: number): number {
  const sideBySide = Math.max(8, actionCount / 12);
  return Math.max(0, length - 1 - Math.floor(chance * Math.min(length, sideBySide)));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
