import { lazy, Suspense } from 'react';
import { shell } from '../strings/shell.js';

const Switcher = lazy(async () => ({ default: (await import('./switcher.js')).Switcher }));

/** The list of projects. Its code loads at its first use. */
export function LazySwitcher({ onDone }: { onDone: () => void }) {
  return (
    <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
      <Switcher onDone={onDone} />
    </Suspense>
  );
}
