/** Values of a query; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * A path whose values are one segment each, whatever they hold. Throws TypeError for a value that would lead elsewhere:
 * an empty one, `.` or `..`.
 */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((built, text, index) => `${built}${toSegment(values[index - 1] ?? '')}${text}`);
}

function toSegment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new TypeError(`'${value}' names nothing.`);
  return encodeURIComponent(value);
}

/** `?` and the values, or nothing without any. */
export function toQuery(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
