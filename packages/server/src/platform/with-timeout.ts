/** Resolves to the answer, or rejects after the timeout: a connection may stay open and never answer. */
export async function withTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
