import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.js';
import { RenewSession, stories } from './stories.js';

export function drawPage(): void {
  const place = document.getElementById('page');
  if (place === null) throw new Error('The document has no element with the id `page`.');
  createRoot(place).render(
    <StrictMode>
      <App stories={stories} RenewSession={RenewSession} />
    </StrictMode>,
  );
}
