import { type Bundle, findUnprovable, type UnprovableChoice, type Withholdable } from '@colophon/model';
import { formatList } from '../languages/formats.js';
import { namesOfReplaced } from '../shell/correction.js';
import { publish } from '../strings/publish.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { type PeopleChoice, toWithheld } from './to-publication.js';

/** `names`: the licences of the history. */
interface LicenseState {
  names: readonly string[];
  isShown: boolean;
  onShow: () => void;
}

/**
 * Warns about choices that prevent a verification, about left-out licences and AI tools, and about names that a
 * correction replaced. Without the bundle, warns only about pseudonyms and AI tools.
 */
export function LeftOut({
  bundle,
  people,
  shown,
  license,
}: {
  bundle: Bundle | undefined;
  people: PeopleChoice;
  shown: readonly Withholdable[];
  license: LicenseState;
}) {
  const withhold = toWithheld(people, shown);
  const obstacles = listObstacles(bundle, people, { withhold, license: license.isShown });
  const isLeftOut = license.names.length > 0 && withhold.includes('details') && !license.isShown;
  const replaced = bundle === undefined || people !== 'names' ? [] : namesOfReplaced(bundle);
  return (
    <div role="status" className="stack">
      {replaced.length === 0 ? null : (
        <Notice kind="warning">{publish.replaced(formatList(replaced))}</Notice>
      )}
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
      {isLeftOut ? (
        <Notice kind="warning" title={publish.withoutLicense(formatList(license.names))}>
          <Button onClick={license.onShow}>{publish.showLicense}</Button>
        </Notice>
      ) : null}
    </div>
  );
}

function listObstacles(
  bundle: Bundle | undefined,
  people: PeopleChoice,
  choice: { withhold: readonly Withholdable[]; license: boolean },
): UnprovableChoice[] {
  const isHidden = people === 'pseudonyms';
  if (bundle === undefined) return isHidden ? ['hiddenEntities'] : [];
  const found = findUnprovable(bundle, { ...choice, hiddenEntities: isHidden ? 'all' : [] });
  // The warning about pseudonyms covers the names.
  return found.filter((choice) => !(isHidden && choice === 'names'));
}
