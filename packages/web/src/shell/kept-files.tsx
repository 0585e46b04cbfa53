import { createContext, type ReactNode, useContext, useRef } from 'react';

/** The chosen files by content id, for Back. */
export interface KeptFiles {
  get(cid: string): File | undefined;
  keep(cid: string, file: File): void;
}

const MAX_KEPT = 20;

const KeptFilesContext = createContext<KeptFiles | undefined>(undefined);

/** A file from the disk takes no memory. */
export function KeptFilesProvider({ children }: { children: ReactNode }) {
  const kept = useRef<KeptFiles>(undefined);
  kept.current ??= createKeptFiles();
  return <KeptFilesContext value={kept.current}>{children}</KeptFilesContext>;
}

export function createKeptFiles(): KeptFiles {
  const files = new Map<string, File>();
  return {
    get: (cid) => files.get(cid),
    keep(cid, file) {
      files.delete(cid); // the next line moves the file to the end
      files.set(cid, file);
      const [oldest] = files.keys();
      if (files.size > MAX_KEPT && oldest !== undefined) files.delete(oldest);
    },
  };
}

export function useKeptFiles(): KeptFiles {
  const kept = useContext(KeptFilesContext);
  if (kept === undefined) throw new Error('`useKeptFiles` needs a `KeptFilesProvider` around the component.');
  return kept;
}
