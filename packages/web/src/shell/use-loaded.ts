import { useCallback, useEffect, useMemo, useState } from 'react';
import { sayError } from './say-error.js';

export interface Loaded<Value> {
  value: Value | undefined;
  /** The error, as a sentence. */
  fault: string | undefined;
  /** Whether a response to the newest request is still missing. `value` can then have old data. */
  isLoading: boolean;
  /** Loads again. The old data stays visible until the new data arrives. */
  reload: () => void;
}

/** `by`: the request that led to the data or the error. */
interface Outcome<Value> extends Pick<Loaded<Value>, 'value' | 'fault'> {
  by?: { load: () => Promise<Value>; round: number };
}

/** Loads data when the component mounts, and again when `load` changes. */
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
