/** An error of the engine: a text `C2pa(Variant("..."))` or `C2pa(Variant { name: "..." })`. */
export interface EngineError {
  variant: string;
  argument: string;
}

/** Parses the text of an error; undefined for other errors, such as a trap of the compiled code. */
export function parseEngineError(error: unknown): EngineError | undefined {
  if (typeof error !== 'string') return undefined;
  const match = /^C2pa\((\w+)(?:\((.*)\))?/s.exec(error);
  return { variant: match?.[1] ?? '', argument: match?.[2]?.replace(/\)$/, '') ?? '' };
}
