import { createRequire } from 'node:module';

/** An optional package that runs ONNX models. An operator installs it next to the service. */
export const RUNTIMES = ['onnxruntime-node', 'onnxruntime-web'] as const;
export type RuntimeName = (typeof RUNTIMES)[number];

/**
 * The command that installs a runtime. Without its scripts, `onnxruntime-node` downloads nothing from outside the
 * registry: on Linux, its script downloads libraries for graphics processors.
 */
export const INSTALL_RUNTIME = 'npm install --ignore-scripts onnxruntime-node@1.30.0';

/** An array of numbers, row by row. */
export interface Tensor {
  data: ArrayLike<number | bigint>;
  dims: readonly number[];
}

/** A loaded model. */
export interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

/** The part of both packages that the service uses. */
export interface OnnxRuntime {
  env: { wasm?: { numThreads?: number } };
  InferenceSession: {
    create(
      model: Uint8Array,
      options: {
        executionProviders: string[];
        intraOpNumThreads: number;
        interOpNumThreads: number;
        logSeverityLevel: number;
      },
    ): Promise<Session>;
  };
  Tensor: new (type: 'float32', data: Float32Array, dims: number[]) => Tensor;
}

/** Returns the first installed runtime that a file can import; undefined without one. */
export function findRuntime(from: string | URL = import.meta.url): RuntimeName | undefined {
  const { resolve } = createRequire(from);
  return RUNTIMES.find((name) => {
    try {
      resolve(name);
      return true;
    } catch {
      return false; // an optional package
    }
  });
}

/** Opens a runtime that uses only the thread of its caller. */
export async function openRuntime(name: RuntimeName): Promise<OnnxRuntime> {
  const loaded = (await import(name)) as OnnxRuntime & { default?: OnnxRuntime };
  const runtime = loaded.default ?? loaded;
  if (runtime.env.wasm !== undefined) runtime.env.wasm.numThreads = 1;
  return runtime;
}
