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

/**
 * The address of a service, without a slash at its end. On a page it may be relative to the page. Throws TypeError for
 * anything but an http or https address without a user name.
 */
export function requireAddress(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  const address = URL.canParse(url, location?.href) ? new URL(url, location?.href) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new TypeError(
      `\`url\` is ${JSON.stringify(url)}: give the address of the service, such as http://localhost:3001 or https://provenance.example.`,
    );
  }
  if (address.username !== '' || address.password !== '')
    throw new TypeError(
      '`url` holds a user name or password: give the address without it, and the key as `apiKey`.',
    );
  return url.replace(/\/+$/, '');
}

/** Throws TypeError for a key that no header can carry: `fetch` takes that for a failed connection. */
export function requireSendableKey(authorization: string | undefined): void {
  if (authorization === undefined || /^Bearer [\x21-\x7e]+$/.test(authorization)) return;
  throw new TypeError(
    'The key is empty, or holds a blank, line break or other character that no key has. Was it read with its line break?',
  );
}
