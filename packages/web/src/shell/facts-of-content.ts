import { type Action, type Bundle, describeBundle, type PublishedFacts } from '@colophon/model';

/**
 * Returns undefined for a content without a record. `complete` is false if the bundle may lack actions that led to the
 * content.
 */
export function factsOfContent(bundle: Bundle, cid: string): PublishedFacts | undefined {
  if (bundle.resources.every((resource) => resource.cid !== cid)) return undefined;
  const { aliases = {} } = bundle;
  const canonical = (name: string) => aliases[name] ?? name;
  const { contents, actions } = walkBack(bundle, cid, canonical);
  const ids = new Set([...actions].map(({ id }) => id));
  const resources = bundle.resources.filter((resource) => contents.has(resource.cid));
  const isWhole = resources.every(({ rootAction }) => rootAction === undefined || ids.has(rootAction));
  const part = {
    ...bundle,
    cid,
    actions: bundle.actions.filter((action) => actions.has(action)),
    resources,
    attributions: bundle.attributions.filter(
      ({ actionId = '', resourceCid = '' }) => ids.has(actionId) || contents.has(canonical(resourceCid)),
    ),
    complete: bundle.complete && isWhole,
  };
  return describeBundle(part, { withhold: [], isHidden: () => false, toRef: (id) => id }).facts;
}

function walkBack(
  { actions }: Bundle,
  cid: string,
  canonical: (name: string) => string,
): { contents: Set<string>; actions: Set<Action> } {
  const byContent = new Map<string, Action[]>();
  for (const action of actions) {
    const { inputCids, outputCids } = action;
    for (const name of (outputCids.length === 0 ? inputCids : outputCids).map(canonical)) {
      const known = byContent.get(name);
      if (known === undefined) byContent.set(name, [action]);
      else known.push(action);
    }
  }
  const found = { contents: new Set([cid]), actions: new Set<Action>() };
  // The loop also visits the contents that it adds to the set.
  for (const content of found.contents) {
    for (const action of byContent.get(content) ?? []) {
      found.actions.add(action);
      if (action.outputCids.length > 0)
        for (const name of action.inputCids) found.contents.add(canonical(name));
    }
  }
  return found;
}
