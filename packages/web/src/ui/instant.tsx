const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** An instant in the local format of the reader. */
export function Instant({ at }: { at: string }) {
  return <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
}
