import { type Action, activityInputSchema, WITHOUT_AI } from '@colophon/model';
import type { Client } from '@colophon/sdk';
import { describe, expect, it } from 'vitest';
import { toBatch } from '../src/record/add-step.js';
import { type Draft, EMPTY, TYPES, toActivity, typesOf } from '../src/record/draft.js';
import { listChanges } from '../src/record/list-changes.js';
import { findOtherCorrection, hasOwnTime, readStep, toCorrectingDraft } from '../src/record/recorded-step.js';
import { actionOf, bundleOf, entityOf, recordedAs } from './support/histories.js';

function draftOf(given: Partial<Action>): Draft {
  return { ...EMPTY, cid: 'photo', isRecorded: true, ...toCorrectingDraft(recordedAs(given)) };
}

describe('a correction', () => {
  const correcting = (actionId: string) => ({ 'ext:correction@1.0.0': { actionId } });
  const made = actionOf('1', 1, { outputCids: ['photo'] });
  const second = actionOf('2', 2, { outputCids: ['photo'], extensions: correcting('1') });
  const third = actionOf('3', 3, { outputCids: ['photo'], extensions: correcting('2') });
  const historyOf = (...actions: Action[]) => ({ bundle: async () => bundleOf('photo', actions) });

  it('is outdated if somebody else corrected the step meanwhile; the last of several corrections counts', async () => {
    const find = (ownId: string, ...actions: Action[]) =>
      findOtherCorrection({ histories: historyOf(...actions) } as unknown as Client, {
        ...{ cid: 'photo', actionId: '1', ownId },
      });
    expect(await find('own', made)).toBeUndefined();
    expect(await find('own', made, second)).toBe('2');
    expect(await find('own', made, second, third)).toBe('3');
    // The service recorded the correction at an earlier attempt, but the response was lost.
    expect(await find('2', made, second)).toBeUndefined();
  });

  it('begins with the note of the last correction, and not with the note of the corrected step', async () => {
    const notes = [
      { actionId: '1', note: 'first' },
      { actionId: '2', note: 'corrected' },
    ];
    const client = {
      histories: historyOf(made, second),
      actions: { get: async (id: string) => [made, second].find((action) => action.id === id) },
      entities: { get: async () => entityOf('studio:ann', 'Ann') },
      attributions: {
        list: async ({ actionId = '' }) => ({
          attributions: notes.filter((one) => one.actionId === actionId),
        }),
      },
      resources: { titles: async () => ({}) },
    } as unknown as Client;
    const step = await readStep(client, { actionId: '1', cid: 'photo' });
    expect([step.action.id, step.note]).toEqual(['2', 'corrected']);
  });

  it('keeps the weight and the extensions of the credit while the performer is the same', async () => {
    const extensions = { 'ext:contrib@1.0.0': { weight: 7, basis: 'absolute' } };
    const creditOf = async (attributions: object[], part: Partial<Draft> = {}) => {
      const client = {
        histories: historyOf(made),
        actions: { get: async () => made },
        entities: { get: async () => entityOf('studio:ann', 'Ann') },
        attributions: { list: async () => ({ attributions }) },
        resources: { titles: async () => ({}) },
      } as unknown as Client;
      const step = await readStep(client, { actionId: '1', cid: 'photo' });
      const draft = { ...EMPTY, cid: 'photo', isRecorded: true, ...toCorrectingDraft(step), ...part };
      const activity = activityInputSchema.parse(toActivity(draft, new Map()));
      const ids = { cid: 'photo', actionId: '2', entityId: draft.entityId };
      expect(toBatch(activity, ids).attributions).toEqual(
        activity.attribution && [
          { ...activity.attribution, entityId: draft.entityId, actionId: '2', role: 'creator' },
        ],
      );
      return activity.attribution;
    };
    const own = { entityId: 'studio:ann', extensions: {} };
    const weighted = [own, { ...own, note: 'first' }, { ...own, weight: '0.7' }];
    expect(await creditOf(weighted, { note: 'second' })).toEqual({ weight: '0.7', note: 'second' });
    expect(await creditOf([own, { ...own, extensions }])).toEqual({ extensions });
    expect(await creditOf([own])).toBeUndefined();
    expect(await creditOf(weighted, { entityId: 'studio:bo' })).toEqual({ note: 'first' });
    expect(await creditOf(weighted, { isRecorded: false })).toEqual({ note: 'first' });
  });

  it('keeps an AI extension that is not in the form, until the user names a tool or states no AI', () => {
    for (const [key, value] of [
      ['ext:ai@1.0.0', { agent: { name: 'Painter' } }],
      ['ext:ai@2.0.0', { system: 'painter' }],
    ] as const) {
      const draft = draftOf({ extensions: { [key]: value } });
      const extensionsOf = (part: Partial<Draft>) =>
        toActivity({ ...draft, ...part }, new Map()).action?.extensions;
      expect(extensionsOf({ note: 'More about it.' })).toEqual({ [key]: value, ...correcting('1') });
      expect(extensionsOf({ noAi: true })).not.toHaveProperty([key]);
      expect(extensionsOf({ provider: 'Acme', model: 'fill' })).not.toHaveProperty([key]);
    }
  });

  it('has the time of the step only if the record states a time of its own', () => {
    const own = { ...made, timestamp: '2020-05-01T10:00:00.000Z' };
    expect(hasOwnTime(made, [])).toBe(false);
    expect(hasOwnTime(own, [])).toBe(true);
    expect(hasOwnTime({ ...second, timestamp: made.timestamp }, [made])).toBe(false);
    expect(hasOwnTime({ ...second, timestamp: own.timestamp }, [own])).toBe(true);
    expect(hasOwnTime({ ...second, timestamp: '2020-06-01T10:00:00.000Z' }, [made])).toBe(true);
  });

  it('keeps the exact time of the step until the user changes it', () => {
    const timestamp = '2026-11-21T09:30:17.250Z';
    const draft = draftOf({ timestamp });
    const timeOf = (part: Partial<Draft>) => toActivity({ ...draft, ...part }, new Map()).action?.timestamp;
    expect(timeOf({})).toBe(timestamp);
    expect(timeOf({ madeAt: '2026-01-02T03:04' })).toMatch(/^2026-01-0[123]T/);
    // The user has chosen another file.
    expect(timeOf({ isRecorded: false })).toBeUndefined();
  });

  it('keeps a type that the form does not offer for a new record, and lists a change of this type', () => {
    const draft = draftOf({ type: 'verify' });
    expect(typesOf(draft)).toEqual([...TYPES, 'verify']);
    expect(typesOf({ ...draft, type: 'create' })).toEqual([...TYPES, 'verify']);
    expect(typesOf(EMPTY)).toEqual([...TYPES]);
    expect(toActivity(draft, new Map()).action?.type).toBe('verify');
    const changesTo = (type: string) => listChanges(draft, { ...draft, type }, () => 'Ann');
    expect(changesTo('verify')).toEqual([]);
    expect(changesTo('create')).toEqual([
      { name: 'What they did', before: 'Checked', after: 'They made it themselves' },
    ]);
    const custom = draftOf({ type: 'ext:scan@1.0.0' });
    expect(listChanges(custom, { ...custom, type: 'create' }, () => 'Ann')[0]?.before).toBe('scan');
  });

  it('keeps the values that the form does not show, until the user changes the value to which they belong', () => {
    const aiTool = { provider: 'Acme', model: 'fill', version: '2' };
    const license = { type: 'MIT', commercial: true };
    const mark = { aiDisclosure: 'ai_assisted', generator: { name: 'fill' }, markedCid: 'photo' };
    const extensions = {
      'ext:ai@1.0.0': { provider: 'Acme', model: 'fill', prompt: 'a heron', autonomyLevel: 'assisted' },
      'ext:license@1.0.0': license,
      'ext:mark@1.0.0': mark,
      'ext:scan@1.0.0': { dpi: 300 },
    };
    const asserted = { 'ext:witness@1.0.0': {}, ...correcting('0') };
    const draft = draftOf({ aiTool, sessionId: 's', extensions: { ...extensions, ...asserted } });
    const actionOfDraft = (part: Partial<Draft>) => toActivity({ ...draft, ...part }, new Map()).action;
    const kept = { ...extensions, ...correcting('1') };
    expect(actionOfDraft({ note: 'The person was wrong.' })).toMatchObject({ aiTool, sessionId: 's' });
    expect(actionOfDraft({ note: 'The person was wrong.' })?.extensions).toEqual(kept);
    expect(actionOfDraft({ license: 'CC-BY-4.0' })?.extensions).toEqual({
      ...kept,
      'ext:license@1.0.0': { type: 'CC-BY-4.0' },
    });
    const other = actionOfDraft({ model: 'draw' });
    const typed = { provider: 'Acme', model: 'draw' };
    expect(other?.aiTool).toEqual(typed);
    expect(other?.extensions).toEqual({ ...kept, 'ext:ai@1.0.0': { ...typed, prompt: 'a heron' } });
    const { 'ext:ai@1.0.0': _, ...withoutTool } = kept;
    const statement = { 'ext:mark@1.0.0': WITHOUT_AI };
    expect(actionOfDraft({ noAi: true })?.extensions).toEqual({ ...withoutTool, ...statement });
    expect(actionOfDraft({ isRecorded: false })?.extensions).not.toHaveProperty('ext:scan@1.0.0');
  });
});
