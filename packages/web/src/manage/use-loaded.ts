import { useCallback, useEffect, useState } from 'react';
import { sayError } from '../shell/say-error.js';

/** Something that was asked for: here, still on its way, or not to be had. */
export interface Loaded<Value> {
  value: Value | undefined;
  /** What went wrong, as a sentence. */
  fault: string | undefined;
  /** Asks again; what is here stays until the answer is. */
  reload: () => void;
}

/** Asks for something when it is first shown, and again when `load` is another function. */
export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const [state, setState] = useState<Pick<Loaded<Value>, 'value' | 'fault'>>({
    value: undefined,
    fault: undefined,
  });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
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
  return { ...state, reload };
}

/** Something that is done on request. */
export interface Doing {
  isBusy: boolean;
  fault: string | undefined;
  /** Does it, unless it is being done; says what went wrong. */
  run: (work: () => Promise<unknown>) => Promise<void>;
}

/** Keeps what is known of one thing that is done on request. */
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
