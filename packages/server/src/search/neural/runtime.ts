import { isInstalled } from '../is-installed.js';

/**
 * The optional package that runs ONNX models. `onnxruntime-node` aborts the process when a thread ends while a model
 * runs.
 */
const RUNTIME = 'onnxruntime-web';

export const INSTALL_RUNTIME = `npm install ${RUNTIME}@1.30.0`;

export interface Tensor {
  data: ArrayLike<number | bigint>;
  dims: readonly number[];
}

export interface ModelSession {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
}

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

/** Whether the file `from` can import the runtime; by default, whether this service can. */
export function hasRuntime(from?: string | URL): boolean {
  return isInstalled(RUNTIME, from);
}

export async function openRuntime(): Promise<OnnxRuntime> {
  const name: string = RUNTIME;
  const runtime = (await import(name)) as OnnxRuntime;
  runtime.env.wasm.numThreads = 1;
  return runtime;
}
