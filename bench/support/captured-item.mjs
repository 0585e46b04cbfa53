import { recordAction } from '../../packages/server/dist/records/record-action.js';

/** What the service hands to `provenance.record()` for an action that was read from a request. */
export async function captureItem(input) {
  let captured;
  const recorder = {
    async record(_projectId, item) {
      captured = item;
      return { outcome: 'recorded', action: { id: item.action.id } };
    },
  };
  await recordAction({ recorder }, '', input);
  return captured;
}
