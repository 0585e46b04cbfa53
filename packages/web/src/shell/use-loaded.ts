import { useCallback, useEffect, useMemo, useState } from 'react';
import { sayError } from './say-error.js';

export interface Loaded<Value> {
  value: Value | undefined;
  fault: string | undefined;
  /** `value` can then have old data. */
  isLoading: boolean;
  /** The old data stays until the new data arrives. */
  reload: () => void;
}

/** `by`: the request that led to the data or the error. */
interface Outcome<Value> extends Pick<Loaded<Value>, 'value' | 'fault'> {
  by?: { load: () => Promise<Value>; round: number };
}

/** Loads again when `load` changes. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [{ value, fault, by }, setState] = useState<Outcome<Value>>({ value: undefined, fault: undefined });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isShown = true;
    const done = { load, round };
    load().then(
      (loaded) => isShown && setState({ value: loaded, fault: undefined, by: done }),
      (error: unknown) => isShown && setState((before) => ({ ...before, fault: sayError(error), by: done })),
    );
    return () => {
      isShown = false;
    };
  }, [load, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const isLoading = by?.load !== load || by.round !== round;
  return useMemo(() => ({ value, fault, isLoading, reload }), [value, fault, isLoading, reload]);
}

export interface Doing {
  isBusy: boolean;
  fault: string | undefined;
  /** Puts an error into `fault`. */
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
