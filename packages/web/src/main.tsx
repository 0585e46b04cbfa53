import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.js';
import { takeKeyOfLink } from './shell/key-of-link.js';
import { applyTheme, readTheme } from './shell/theme.js';
import { RenewSession, stories } from './stories.js';
import './ui/theme.css';
import './ui/ui.css';
import './shell/shell.css';

applyTheme(readTheme());
takeKeyOfLink(); // at once, so that a key never stays in the address
const place = document.getElementById('page');
if (place === null) throw new Error('The document has no element with the id `page`.');
createRoot(place).render(
  <StrictMode>
    <App stories={stories} RenewSession={RenewSession} />
  </StrictMode>,
);
