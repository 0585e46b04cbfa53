import { type ComponentType, createElement, lazy } from 'react';

/** The browser cannot load a part of the page, for example without a network. */
export class PartNotLoadedError extends Error {}

/** Functions that prepare another attempt, one for each part whose code did not arrive. */
const renewals = new Set<() => void>();

/** The code loads at its first use. After a failure, it loads again only after `renewParts`. */
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

export function renewParts(): void {
  for (const renew of renewals) renew();
  renewals.clear();
}
