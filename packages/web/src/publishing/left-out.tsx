import {
  type Bundle,
  findUnprovable,
  licenseOf,
  type UnprovableChoice,
  type Withholdable,
} from '@colophon/model';
import { formatList } from '../languages/formats.js';
import { publish } from '../strings/publish.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { type PeopleChoice, toWithheld } from './to-publication.js';

/**
 * Warns about choices with which readers cannot verify the history, and about a licence that is left out. Without the
 * bundle, only pseudonyms are sure to have this effect.
 */
export function LeftOut({
  bundle,
  people,
  shown,
  onShowAll,
}: {
  bundle: Bundle | undefined;
  people: PeopleChoice;
  shown: readonly Withholdable[];
  onShowAll: () => void;
}) {
  const withhold = toWithheld(people, shown);
  const obstacles = listObstacles(bundle, people, withhold);
  const licenses = bundle === undefined || !withhold.includes('details') ? [] : listLicenses(bundle);
  return (
    <div role="status" className="stack">
      {shown.includes('tools') ? null : <Notice kind="warning">{publish.withoutAi}</Notice>}
      {obstacles.length === 0 ? null : (
        <Notice kind="warning" title={publish.unverifiable}>
          <ul>
            {obstacles.map((choice) => (
              <li key={choice}>{publish.because[choice]}</li>
            ))}
          </ul>
        </Notice>
      )}
      {licenses.length === 0 ? null : (
        <Notice kind="warning" title={publish.withoutLicense(formatList(licenses))}>
          <Button onClick={onShowAll}>{publish.showAll}</Button>
        </Notice>
      )}
    </div>
  );
}

function listObstacles(
  bundle: Bundle | undefined,
  people: PeopleChoice,
  withhold: readonly Withholdable[],
): UnprovableChoice[] {
  const isHidden = people === 'pseudonyms';
  if (bundle === undefined) return isHidden ? ['hiddenEntities'] : [];
  const found = findUnprovable(bundle, { withhold, hiddenEntities: isHidden ? 'all' : [] });
  // Pseudonyms also leave out the names.
  return found.filter((choice) => !(isHidden && choice === 'names'));
}

function listLicenses({ entities, actions, attributions, resources }: Bundle): string[] {
  const found = [...entities, ...actions, ...attributions, ...resources].map(licenseOf);
  return [...new Set(found.filter((license) => license !== undefined))];
}
