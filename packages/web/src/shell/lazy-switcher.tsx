import { Suspense } from 'react';
import { shell } from '../strings/shell.js';
import { lazyPart } from './lazy-part.js';
import { StopFault } from './stop-fault.js';

const Switcher = lazyPart(async () => (await import('./switcher.js')).Switcher);

export function LazySwitcher(props: { onDone: () => void; next?: string }) {
  return (
    <StopFault>
      <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
        <Switcher {...props} />
      </Suspense>
    </StopFault>
  );
}
