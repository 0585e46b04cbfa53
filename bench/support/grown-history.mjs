import { cidOf } from './content-ids.mjs';
import { createNext } from './random.mjs';

const SALT = 0x6d2b79f5;
const START_MS = Date.parse('2026-03-01T09:00:00.000Z');
const HOUR_MS = 3_600_000;
const TYPES = ['generate', 'transform', 'aggregate', 'transform', 'create', 'reference'];
/** Number of inputs by action type. Other types have one input. */
const INPUTS = { create: 0, reference: 0, aggregate: 3 };
/** Probability that a used content remains available as an input. */
const USED_AGAIN = 0.2;
const PEOPLE = ['Ann', 'Bela', 'Chidi', 'Dalia', 'Emre', 'Fen', 'Gita', 'Hugo'];
const TOOLS = [undefined, { provider: 'Acme', model: 'painter-7' }, { provider: 'Globex', model: 'upscale' }];
const SLICE = 500;

/**
 * Returns requests for a history with branches and joins. The last action uses all contents that are still available as
 * inputs (`open`). The history is the same at each run. `cid` is the last output.
 */
export function grownHistory(actionCount) {
  const chance = createNext(actionCount, SALT);
  const oneOf = (list, lean = 1) => list[Math.floor(chance() ** lean * list.length)];
  const contentOf = (index) => cidOf(`grown ${actionCount} ${index}`);
  const sideBySide = Math.max(6, actionCount / 15);
  const open = [contentOf(-1)];
  const actions = Array.from({ length: actionCount }, (_, index) => {
    const isLast = index === actionCount - 1;
    const type = isLast || open.length > sideBySide ? 'aggregate' : oneOf(TYPES);
    const inputs = isLast ? open : takeSome(open, INPUTS[type] ?? 1, chance);
    const aiTool = inputs.length > 0 ? oneOf(TOOLS) : undefined;
    const action = {
      type,
      performedBy: idOf(oneOf(PEOPLE, 2)),
      inputCids: [...new Set(inputs)],
      outputCids: [contentOf(index)],
      timestamp: new Date(START_MS + (index + chance() / 2) * HOUR_MS).toISOString(),
      ...(aiTool === undefined ? {} : { aiTool }),
    };
    open.push(...action.outputCids);
    return action;
  });
  const entities = PEOPLE.map((name) => ({ id: idOf(name), role: 'human', name }));
  return { cid: contentOf(actionCount - 1), entities, actions };
}

function takeSome(open, count, chance) {
  return Array.from({ length: Math.min(count, open.length) }, () => {
    const place = Math.floor(chance() * open.length);
    return chance() < USED_AGAIN ? open[place] : open.splice(place, 1)[0];
  });
}

function idOf(name) {
  return `crew:${name.toLowerCase()}`;
}

export async function recordGrown({ base, key }, actionCount) {
  const { cid, entities, actions } = grownHistory(actionCount);
  for (let first = 0; first < actions.length; first += SLICE) {
    const slice = actions.slice(first, first + SLICE).map((action) => ({ ...action, resourceType: 'image' }));
    const answer = await fetch(`${base}/v1/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ entities, actions: slice }),
    });
    if (!answer.ok) throw new Error(`POST /v1/batch: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  return cid;
}
