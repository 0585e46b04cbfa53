const WIDTH = 30;
const PERCENT = 100;
const REDRAW_MS = 100;

/** The same bytes; on a terminal a bar on standard error tells how far they have come. */
export async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  { label, sizeBytes }: { label: string; sizeBytes: number },
): AsyncGenerator<Uint8Array> {
  if (!process.stderr.isTTY) {
    yield* bytes;
    return;
  }
  let done = 0;
  let drawnAt = 0;
  for await (const chunk of bytes) {
    yield chunk;
    done += chunk.length;
    if (Date.now() - drawnAt < REDRAW_MS) continue;
    drawnAt = Date.now();
    process.stderr.write(`\r${toBar(label, sizeBytes === 0 ? 1 : done / sizeBytes)}`);
  }
  process.stderr.write(`\r${toBar(label, 1)}\n`);
}

/** `label [####----] 50 %` for a share between 0 and 1. */
export function toBar(label: string, share: number): string {
  const filled = Math.round(Math.min(share, 1) * WIDTH);
  const percent = String(Math.floor(Math.min(share, 1) * PERCENT)).padStart(3);
  return `${label} [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent} %`;
}
