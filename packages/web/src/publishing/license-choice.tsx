import type { RefObject } from 'react';
import { formatList } from '../languages/formats.js';
import { publish } from '../strings/publish.js';
import type { FoundLicenses } from './find-licenses.js';

const HINT = 'licence-hint';

/**
 * A publication that leaves out no data always shows the licence, so the box is then disabled. `licenses`: undefined
 * until the page has read the history.
 */
export function LicenseChoice({
  box,
  licenses,
  isShown,
  isAllShown,
  onChange,
}: {
  box: RefObject<HTMLInputElement | null>;
  licenses: FoundLicenses | undefined;
  isShown: boolean;
  isAllShown: boolean;
  onChange: (isShown: boolean) => void;
}) {
  const hint = isAllShown ? publish.licenses.whole : licenses && sayLicenses(licenses);
  return (
    <>
      {/* A form does not send a disabled box. */}
      {isAllShown ? <input type="hidden" name="license" value="on" /> : null}
      <label>
        <input
          ref={box}
          type="checkbox"
          name="license"
          aria-describedby={HINT}
          checked={isShown || isAllShown}
          disabled={isAllShown}
          onChange={({ target }) => onChange(target.checked)}
        />
        {publish.license}
      </label>
      {hint === undefined ? null : (
        <p id={HINT} className="hint">
          {hint}
        </p>
      )}
    </>
  );
}

function sayLicenses({ own, all }: FoundLicenses): string {
  const texts = publish.licenses;
  if (all.length === 0) return texts.none;
  const found = own.length > 0 ? texts.own(formatList(own)) : texts.others(formatList(all));
  return `${found} ${texts.partly}`;
}
