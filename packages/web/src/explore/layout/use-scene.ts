import { useEffect, useState } from 'react';
import { type Scene, toScene } from '../draw/scene.js';
import type { History } from '../history/history.js';
import { type Layout, toLayoutInput } from './layout-input.js';

/** Returns the previous scene until the new one is ready. */
export function useScene(history: History | undefined): {
  scene: Scene | undefined;
  fault: string | undefined;
} {
  const [scene, setScene] = useState<Scene>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    if (history === undefined) return undefined;
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.onerror = ({ message }) => setFault(message);
    worker.onmessage = ({ data }: MessageEvent<Layout>) => {
      setScene(toScene(history, data));
      worker.terminate();
    };
    worker.postMessage(toLayoutInput(history));
    return () => worker.terminate();
  }, [history]);
  return { scene, fault };
}
