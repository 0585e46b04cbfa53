import { keepLanguage, LANGUAGES, type Language } from '../languages/language.js';
import { languageInUse, missingLanguage } from '../languages/texts.js';
import { shell } from '../strings/shell.js';
import { loadTexts } from '../translations/load-texts.js';

/** Marks a translation that no speaker has reviewed. */
export function LanguageMenu() {
  const { code: inUse, isReviewed } = languageInUse();
  const missing = missingLanguage();
  const choose = (language: Language) => {
    keepLanguage(language.code);
    // Loading the language in use ends the load of another one, and clears the message about a failed load.
    void loadTexts(language);
  };
  return (
    <div className="languages">
      <ul aria-label={shell.language.label}>
        {LANGUAGES.map((language) => (
          <li key={language.code}>
            <button
              type="button"
              lang={language.code}
              aria-current={language.code === inUse ? 'true' : undefined}
              onClick={() => choose(language)}
            >
              {language.name}
            </button>
          </li>
        ))}
      </ul>
      <div role="status">{missing === undefined ? null : <p>{shell.language.missing(missing.name)}</p>}</div>
      {isReviewed ? null : <p>{shell.language.notReviewed}</p>}
    </div>
  );
}
