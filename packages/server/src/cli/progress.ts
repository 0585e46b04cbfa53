const WIDTH = 30;
const PERCENT = 100;
const REDRAW_MS = 100;

/** Shows nothing when standard error is not a terminal. */
export interface CliProgress {
  advance(sizeBytes: number): void;
  end(): void;
}

export function startProgress({ label, sizeBytes }: { label: string; sizeBytes: number }): CliProgress {
  if (!process.stderr.isTTY) return { advance() {}, end() {} };
  let done = 0;
  let drawnAt = 0;
  const draw = () => process.stderr.write(`\r${toBar(label, sizeBytes === 0 ? 1 : done / sizeBytes)}`);
  return {
    advance(size) {
      done += size;
      if (Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      draw();
    },
    end() {
      draw();
      process.stderr.write('\n');
    },
  };
}

export async function* withProgress(
  bytes: AsyncIterable<Uint8Array>,
  options: { label: string; sizeBytes: number },
): AsyncGenerator<Uint8Array> {
  const progress = startProgress(options);
  for await (const chunk of bytes) {
    yield chunk;
    progress.advance(chunk.length);
  }
  progress.end();
}

/** Returns `label [####----] 50 %` for the share 0.5. */
function toBar(label: string, share: number): string {
  const filled = Math.round(Math.min(share, 1) * WIDTH);
  const percent = String(Math.floor(Math.min(share, 1) * PERCENT)).padStart(3);
  return `${label} [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${percent} %`;
}
