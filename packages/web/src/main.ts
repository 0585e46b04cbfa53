import { readLanguage } from './languages/language.js';
import { takeKeyOfLink } from './shell/key-of-link.js';
import { applyTheme, readTheme } from './shell/theme.js';
import { loadTexts } from './translations/load-texts.js';
import './ui/theme.css';
import './ui/ui.css';
import './shell/shell.css';
import './shell/languages.css';

applyTheme(readTheme());
// Runs before the first request, so that the key leaves the address at once.
takeKeyOfLink();
void start();

/** The modules of `strings/` read the texts when they load. */
async function start(): Promise<void> {
  await loadTexts(readLanguage());
  const { drawPage } = await import('./draw-page.js');
  drawPage();
}
