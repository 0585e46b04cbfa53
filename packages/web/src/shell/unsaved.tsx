import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';

/** The number of forms with input that a sign-out would delete. */
interface Unsaved {
  forms: number;
}

const UnsavedContext = createContext<Unsaved | undefined>(undefined);

export function UnsavedProvider({ children }: { children: ReactNode }) {
  const unsaved = useRef<Unsaved>({ forms: 0 });
  return <UnsavedContext value={unsaved.current}>{children}</UnsavedContext>;
}

/** Reports whether a form has input that is not saved. While such a form exists, the page asks before a sign-out. */
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

/**
 * Returns an object with the number of forms with input that is not saved. A change of this number does not render
 * components again.
 */
export function useUnsavedForms(): Unsaved {
  const unsaved = useContext(UnsavedContext);
  if (unsaved === undefined) throw new Error('`useUnsaved` needs an `UnsavedProvider` around the component.');
  return unsaved;
}
