/** Undefined values are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** One segment for each value. Throws TypeError for an empty value, `.` or `..`. */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((built, text, index) => `${built}${toSegment(values[index - 1] ?? '')}${text}`);
}

function toSegment(value: string): string {
  if (/^\.{0,2}$/.test(value))
    throw new TypeError(`'${value}' is not a valid id. Pass a nonempty id other than . and ..`);
  return encodeURIComponent(value);
}

export function toQuery(query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/**
 * Removes slashes at the end. On a page, the address may be relative. Throws TypeError unless the scheme is http or
 * https, and for an address with a user name or password.
 */
export function requireAddress(url: string): string {
  const { location } = globalThis as { location?: { href: string } };
  const address = URL.canParse(url, location?.href) ? new URL(url, location?.href) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    throw new TypeError(
      `\`url\` is ${JSON.stringify(url)}. Pass the address of the service, such as https://provenance.example.`,
    );
  }
  if (address.username !== '' || address.password !== '')
    throw new TypeError('`url` contains a user name or password. Remove them, and pass the key as `apiKey`.');
  return url.replace(/\/+$/, '');
}

/** Throws for a key that `fetch` cannot send. With such a key, `fetch` would report a failed connection. */
export function requireSendableKey(authorization: string | undefined): void {
  if (authorization === undefined || /^Bearer [\x21-\x7e]+$/.test(authorization)) return;
  throw new TypeError('The key is empty or has an invalid character, such as a line break.');
}
