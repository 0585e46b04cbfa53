import {
  type Action,
  type Attribution,
  type Bundle,
  type DescribedBundle,
  describeBundle,
  type PublishedFacts,
  type Resource,
  type Withholdable,
} from '../../src/index.js';

export const AT = '2026-11-21T09:30:00.000Z';
export const TOOL = { provider: 'Acme', model: 'fill' };

export function toAction(place: number, action: Partial<Action>): Action {
  return {
    ...{ id: `action ${place}`, type: 'create', performedBy: 'ann', inputCids: [], outputCids: [] },
    ...{ timestamp: AT, extensions: {}, digest: '' },
    ...action,
  } as Action;
}

export interface Given {
  actions: Partial<Action>[];
  resources?: Partial<Resource>[];
  attributions?: Partial<Attribution>[];
  withhold?: Withholdable[];
  complete?: boolean;
}

export function factsOf(given: Given): PublishedFacts {
  return describeGiven(given).facts;
}

export function describeGiven(given: Given): DescribedBundle {
  const { withhold = [] } = given;
  return describeBundle(toBundle(given), { withhold, isHidden: () => false, toRef: (id) => id });
}

export function toBundle(given: Given): Bundle {
  const { actions, resources = [], attributions = [], complete = true } = given;
  const entities = [
    { id: 'ann', role: 'human' },
    { id: 'bot', role: 'ai' },
    { id: 'bo', role: 'human', name: 'Bo' },
  ];
  return {
    ...{ cid: 'own', complete, entities, aliases: { alias: 'own' } },
    actions: actions.map((action, place) => toAction(place, action)),
    resources,
    attributions: attributions.map((credit) => ({ role: 'contributor', extensions: {}, ...credit })),
  } as unknown as Bundle;
}
export const painted: Partial<Action> = { type: 'generate', performedBy: 'bot', outputCids: ['source'] };
export const finished: Partial<Action> = { type: 'transform', inputCids: ['source'], outputCids: ['own'] };
