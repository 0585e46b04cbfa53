import { chooseLanguage, LANGUAGES } from '../languages/language.js';
import { languageInUse, missingLanguage } from '../languages/texts.js';
import { shell } from '../strings/shell.js';

/** The languages as buttons. It marks a translation that no speaker has reviewed. */
export function LanguageMenu() {
  const { code: inUse, isReviewed } = languageInUse();
  const missing = missingLanguage();
  return (
    <div className="languages">
      <ul aria-label={shell.language.label}>
        {LANGUAGES.map(({ code, name }) => (
          <li key={code}>
            <button
              type="button"
              lang={code}
              aria-current={code === inUse ? 'true' : undefined}
              onClick={() => {
                if (code !== inUse) chooseLanguage(code);
              }}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      {missing === undefined ? null : <p>{shell.language.missing(missing.name)}</p>}
      {isReviewed ? null : <p>{shell.language.notReviewed}</p>}
    </div>
  );
}
