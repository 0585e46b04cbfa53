import { formatInstant } from '../languages/formats.js';

/** An instant in the reader's time zone, in the format of the language in use. */
export function Instant({ at }: { at: string }) {
  return <time dateTime={at}>{formatInstant(at)}</time>;
}
