const FORMAT = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' });

/** An instant as the people here read it. */
export function Instant({ at }: { at: string }) {
  return <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
}
