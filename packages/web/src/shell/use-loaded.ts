import { useCallback, useEffect, useMemo, useState } from 'react';
import { sayError } from './say-error.js';

export interface Loaded<Value> {
  value: Value | undefined;
  /** The error, as a sentence. */
  fault: string | undefined;
  /** Loads again. The old data stays visible until the new data arrives. */
  reload: () => void;
}

/** Loads data when the component mounts, and again when `load` changes. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'fault'>>({
    value: undefined,
    fault: undefined,
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `reload` starts a new round
  useEffect(() => {
    let isShown = true;
    load().then(
      (value) => isShown && setState({ value, fault: undefined }),
      (error: unknown) => isShown && setState((before) => ({ ...before, fault: sayError(error) })),
    );
    return () => {
      isShown = false;
    };
  }, [load, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return useMemo(() => ({ ...state, reload }), [state, reload]);
}

/** The state of an operation. */
export interface Doing {
  isBusy: boolean;
  fault: string | undefined;
  /** Runs an operation. Puts its error into `fault`. */
  run: (work: () => Promise<unknown>) => Promise<void>;
}

export function useDoing(): Doing {
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const run = async (work: () => Promise<unknown>) => {
    setIsBusy(true);
    setFault(undefined);
    try {
      await work();
    } catch (error) {
      setFault(sayError(error));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, fault, run };
}
