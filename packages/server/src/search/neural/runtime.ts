import { isInstalled } from '../is-installed.js';

/**
 * The optional package that runs ONNX models. The package itself is WebAssembly. An operator installs it next to the
 * service. The package `onnxruntime-node` has the same interface, but aborts the process when a thread ends while a
 * model runs.
 */
const RUNTIME = 'onnxruntime-web';

/** The command that installs the runtime. */
export const INSTALL_RUNTIME = `npm install ${RUNTIME}@1.30.0`;

/** An array of numbers, row by row. */
export interface Tensor {
  data: ArrayLike<number | bigint>;
  dims: readonly number[];
}

/** A loaded model. */
export interface ModelSession {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

/** The part of the package that the service uses. */
export interface OnnxRuntime {
  env: { wasm: { numThreads?: number } };
  InferenceSession: {
    create(
      model: Uint8Array,
      options: { executionProviders: string[]; logSeverityLevel: number },
    ): Promise<ModelSession>;
  };
  Tensor: new (type: 'float32', data: Float32Array, dims: number[]) => Tensor;
}

/** Whether the source file `from` can import the runtime; by default, whether this service can. */
export function hasRuntime(from?: string | URL): boolean {
  return isInstalled(RUNTIME, from);
}

/** Opens the runtime. It uses only the thread of its caller. */
export async function openRuntime(): Promise<OnnxRuntime> {
  const name: string = RUNTIME;
  const runtime = (await import(name)) as OnnxRuntime;
  runtime.env.wasm.numThreads = 1;
  return runtime;
}
