const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** An instant in the reader's time zone, in English format. */
export function Instant({ at }: { at: string }) {
  return <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
}
