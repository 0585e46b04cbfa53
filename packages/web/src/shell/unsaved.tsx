import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';

interface Unsaved {
  forms: number;
}

const UnsavedContext = createContext<Unsaved | undefined>(undefined);

export function UnsavedProvider({ children }: { children: ReactNode }) {
  const unsaved = useRef<Unsaved>({ forms: 0 });
  return <UnsavedContext value={unsaved.current}>{children}</UnsavedContext>;
}

/** While a form has unsaved input, the page asks before a sign-out. */
export function useUnsaved(isUnsaved: boolean): void {
  const unsaved = useUnsavedForms();
  useEffect(() => {
    if (!isUnsaved) return undefined;
    unsaved.forms += 1;
    return () => {
      unsaved.forms -= 1;
    };
  }, [unsaved, isUnsaved]);
}

/** A change of the number does not render components again. */
export function useUnsavedForms(): Unsaved {
  const unsaved = useContext(UnsavedContext);
  if (unsaved === undefined) throw new Error('`useUnsaved` needs an `UnsavedProvider` around the component.');
  return unsaved;
}
