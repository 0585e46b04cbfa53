import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CORRECTION_EXTENSION, correctedActions, findCorrections } from '../src/index.js';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

function act(id: string, corrects?: string, more: { outputCids?: string[]; recordedAt?: string } = {}) {
  const extensions = corrects === undefined ? {} : { [CORRECTION_EXTENSION]: { actionId: corrects } };
  return { id, outputCids: ['photo'], extensions, ...more };
}

describe('the corrected actions of a history', () => {
  it('are all steps of a chain of corrections, except the last one, in any order of the list', () => {
    const chains = fc.integer({ min: 1, max: 20 }).chain((length) =>
      fc.shuffledSubarray(
        Array.from({ length }, (_, place) =>
          act(`${place}`, place === 0 ? undefined : `${place - 1}`, { recordedAt: at(place) }),
        ),
        { minLength: length },
      ),
    );
    fc.assert(
      fc.property(chains, (actions) => {
        const corrected = correctedActions(actions);
        const left = actions.filter(({ id }) => !corrected.has(id));
        expect(left.map(({ id }) => id)).toEqual([`${actions.length - 1}`]);
      }),
    );
  });

  it('never include every action of a history, whichever actions the corrections name', () => {
    const ids = ['0', '1', '2', '3', '4'];
    const named = fc.array(fc.option(fc.constantFrom(...ids), { nil: undefined }), {
      minLength: 5,
      maxLength: 5,
    });
    const times = fc.array(fc.option(fc.nat({ max: 3 }), { nil: undefined }), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(named, times, (corrects, minutes) => {
        const actions = ids.map((id, place) => {
          const minute = minutes[place];
          return act(id, corrects[place], minute === undefined ? {} : { recordedAt: at(minute) });
        });
        expect(correctedActions(actions).size).toBeLessThan(actions.length);
      }),
    );
  });

  it.each([
    ['an unknown id', [act('1'), act('2', '9')]],
    ['itself', [act('1'), act('2', '2')]],
    ['an action that comes after the correction in the list', [act('1', '2'), act('2')]],
    [
      'an action with a later time',
      [act('1', undefined, { recordedAt: at(2) }), act('2', '1', { recordedAt: at(1) })],
    ],
    ['an action with other outputs', [act('1'), act('2', '1', { outputCids: ['poster'] })]],
    [
      'an action without outputs',
      [act('1', undefined, { outputCids: [] }), act('2', '1', { outputCids: [] })],
    ],
    ['no id', [act('1'), { ...act('2'), extensions: { [CORRECTION_EXTENSION]: null } }]],
  ])('do not include an action if the correction names %s', (_, actions) => {
    expect(correctedActions(actions).size).toBe(0);
  });

  it('include an action if `aliases` shows that the correction has the same output', () => {
    const actions = [act('1', undefined, { outputCids: ['alias'] }), act('2', '1')];
    expect(correctedActions(actions).size).toBe(0);
    expect(correctedActions(actions, { alias: 'photo' })).toEqual(new Set(['1']));
  });

  it('have one correction each: the first that names the action', () => {
    expect(findCorrections([act('1'), act('2', '1'), act('3', '1')])).toEqual(new Map([['1', '2']]));
    expect(findCorrections([act('1'), act('2', '1'), act('3', '1'), act('4', '2')])).toEqual(
      new Map([
        ['1', '2'],
        ['2', '4'],
      ]),
    );
  });

  it('have corrections that form no cycle, even if two actions of a history have the same id', () => {
    expect(findCorrections([act('1'), act('2', '1'), act('1', '2')])).toEqual(new Map([['1', '2']]));
  });

  it('do not include an action if the correction lacks one of its outputs', () => {
    const both = act('1', undefined, { outputCids: ['photo', 'poster'] });
    expect(correctedActions([both, act('2', '1')]).size).toBe(0);
    expect(correctedActions([both, act('2', '1', { outputCids: ['poster', 'photo', 'print'] })]).size).toBe(
      1,
    );
  });
});
