import { formatList } from '../languages/formats.js';
import { publish } from '../strings/publish.js';
import type { FoundLicenses } from './find-licenses.js';

const HINT = 'licence-hint';

/** The box for the licence, with the reason for its first state. `licenses`: undefined until they are known. */
export function LicenseChoice({
  licenses,
  isShown,
  onChange,
}: {
  licenses: FoundLicenses | undefined;
  isShown: boolean;
  onChange: (isShown: boolean) => void;
}) {
  return (
    <>
      <label>
        <input
          type="checkbox"
          name="license"
          aria-describedby={HINT}
          checked={isShown}
          onChange={({ target }) => onChange(target.checked)}
        />
        {publish.license}
      </label>
      {licenses === undefined ? null : (
        <p id={HINT} className="hint">
          {sayLicenses(licenses)}
        </p>
      )}
    </>
  );
}

function sayLicenses({ own, all }: FoundLicenses): string {
  if (own.length > 0) return publish.licenses.own(formatList(own));
  return all.length > 0 ? publish.licenses.others(formatList(all)) : publish.licenses.none;
}
