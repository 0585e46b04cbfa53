import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupSteps, openedFor } from '../../src/explore/history/group-steps.js';
import { toHistory } from '../../src/explore/history/history.js';
import { layOut } from '../../src/explore/layout/lay-out.js';
import { toLayoutInput } from '../../src/explore/layout/layout-input.js';
import { actionOf, bundleOf, grownBundle } from '../support/histories.js';

const NONE: ReadonlySet<string> = new Set();
const idsOf = ({ nodes }: { nodes: readonly { id: string }[] }) => new Set(nodes.map(({ id }) => id));

describe('groups of similar steps', () => {
  it('leave a short history as it is', () => {
    const history = toHistory(grownBundle(12));
    expect(groupSteps(history, NONE).history).toBe(history);
  });

  it.each([300, 5000])('reduce %i steps to fewer than 100 nodes and a width below 6,000', (count) => {
    const { history } = groupSteps(toHistory(grownBundle(count)), NONE);
    expect(history.nodes.length).toBeLessThan(100);
    const { bounds } = layOut(toLayoutInput(history));
    expect(bounds.right - bounds.left).toBeLessThan(6000);
  });

  it('leave every action and content in the picture, alone or in a group', () => {
    const whole = toHistory(grownBundle(300));
    const { history, groupOf } = groupSteps(whole, NONE);
    const drawn = idsOf(history);
    const isThere = (id: string) => drawn.has(groupOf.get(id) ?? id);
    expect(
      whole.nodes.filter(({ kind, id }) => kind !== 'tool' && kind !== 'entity' && !isThere(id)),
    ).toEqual([]);
    expect(history.nodes[history.focus]?.id).toBe(whole.nodes[whole.focus]?.id);
  });

  it('combine many inputs of the same kind into one card', () => {
    const photos = Array.from({ length: 300 }, (_, number) =>
      actionOf(`shoot-${number}`, number, { type: 'create', outputCids: [`photo-${number}`] }),
    );
    const inputCids = [...photos.flatMap(({ outputCids }) => outputCids), 'map-1', 'map-2', 'map-3'];
    const train = actionOf('train', 400, { inputCids, outputCids: ['model'] });
    const { history } = groupSteps(toHistory(bundleOf('model', [...photos, train])), NONE);
    expect(history.nodes.map(({ kind }) => kind).sort()).toEqual(
      ['action', 'entity', 'group', 'group', 'resource'].sort(),
    );
  });

  it('can be opened so that any action or content is drawn', () => {
    const whole = toHistory(grownBundle(200));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.nodes.length - 1 }), (index) => {
        const node = whole.nodes[index];
        if (node === undefined || node.kind === 'entity' || node.kind === 'tool') return;
        const opened = openedFor(whole, NONE, node.id);
        expect(idsOf(groupSteps(whole, opened).history)).toContain(node.id);
      }),
      { numRuns: 15 },
    );
  });
});
