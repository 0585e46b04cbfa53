/** The answer, or a rejection when it takes longer; a connection may stay open and never answer again. */
export async function withTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
