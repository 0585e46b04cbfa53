import { type Publication, WITHHOLDABLE } from '@colophon/model';
import { formatList } from '../languages/formats.js';
import { published } from '../strings/public.js';
import { publish } from '../strings/publish.js';

/** Data that pseudonyms hide. */
const OF_PEOPLE: readonly string[] = ['names', 'wallets', 'metadata'];

export function sayShown({
  withhold,
  hiddenEntities,
  titles,
  picture,
  license,
}: Pick<Publication, 'withhold' | 'hiddenEntities' | 'titles' | 'picture' | 'license'>): string {
  const areAllHidden = hiddenEntities === 'all';
  const isShown = (thing: (typeof WITHHOLDABLE)[number]) =>
    !withhold.includes(thing) && !(areAllHidden && OF_PEOPLE.includes(thing));
  const { parts } = publish;
  const shown = [
    ...(hiddenEntities.length === 0 ? [] : [areAllHidden ? parts.pseudonyms : parts.somePseudonyms]),
    ...WITHHOLDABLE.filter(isShown).map((thing) => published.withholdable[thing]),
    ...(titles ? [parts.titles] : []),
    ...(picture ? [parts.picture] : []),
    ...(license ? [parts.license] : []),
  ];
  return shown.length === 0 ? publish.showsSteps : publish.shows(formatList(shown));
}
