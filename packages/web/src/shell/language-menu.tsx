import { chooseLanguage, LANGUAGES, type LanguageCode } from '../languages/language.js';
import { languageInUse, missingLanguage } from '../languages/texts.js';
import { shell } from '../strings/shell.js';

/** A choice of the language. It marks a translation that no speaker has reviewed. */
export function LanguageMenu() {
  const { code: inUse, isReviewed } = languageInUse();
  const missing = missingLanguage();
  return (
    <>
      <label className="row">
        <span>{shell.language.label}</span>
        <select value={inUse} onChange={(event) => chooseLanguage(event.target.value as LanguageCode)}>
          {LANGUAGES.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {missing === undefined ? null : <span>{shell.language.missing(missing.name)}</span>}
      {isReviewed ? null : <span className="quiet">{shell.language.notReviewed}</span>}
    </>
  );
}
