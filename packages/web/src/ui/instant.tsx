import { formatInstant, formatZoned } from '../languages/formats.js';

const bareInstant = (instant: string) => instant;

/** Shows an instant in the reader's time zone. `say` puts the instant into a sentence. */
export function Instant({ at, say = bareInstant }: { at: string; say?: (instant: string) => string }) {
  return (
    <time dateTime={at} title={formatZoned(at)}>
      {say(formatInstant(at))}
    </time>
  );
}
