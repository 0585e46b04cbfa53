import { type ComponentType, createElement, lazy } from 'react';

/** Error when the code of a part of the page could not be loaded, for example without a network. */
export class PartNotLoadedError extends Error {}

/** For each part whose code did not arrive: the function that prepares another attempt. */
const renewals = new Set<() => void>();

/** A component whose code loads at its first use. After a failure, it loads again only after `renewParts`. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const create = () =>
    lazy(async (): Promise<{ default: ComponentType<Props> }> => {
      try {
        return { default: await load() };
      } catch (error) {
        renewals.add(renew);
        throw new PartNotLoadedError(String(error), { cause: error });
      }
    });
  let current: ComponentType<Props> = create();
  const renew = () => {
    current = create();
  };
  return (props) => createElement(current, props);
}

/** Prepares each part whose code did not arrive, so that its next use loads the code again. */
export function renewParts(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}
