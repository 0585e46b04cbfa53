/** An error of the engine: a text `C2pa(Variant("..."))` or `C2pa(Variant { name: "..." })`. */
export interface EngineError {
  variant: string;
  argument: string;
}

/** The parts of a thrown text; undefined for anything else, such as a trap of its compiled code. */
export function parseEngineError(error: unknown): EngineError | undefined {
  if (typeof error !== 'string') return undefined;
  const match = /^C2pa\((\w+)(?:\((.*)\))?/s.exec(error);
  return { variant: match?.[1] ?? '', argument: match?.[2]?.replace(/\)$/, '') ?? '' };
}
