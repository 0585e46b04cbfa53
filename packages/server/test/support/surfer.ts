export interface Place {
  url: string;
  text: string;
  /** Includes the hidden fields. */
  form: { action: string; fields: Record<string, string> } | undefined;
}

/** A browser without scripts. It follows redirects, and stores cookies by origin. */
export interface Surfer {
  open(url: string): Promise<Place>;
  send(form: NonNullable<Place['form']>, filled: Record<string, string>): Promise<Place>;
}

const MAX_REDIRECTS = 10;

/** Follows at most 10 redirects. Does not request an address that begins with `stopAt`. */
export function createSurfer({ stopAt }: { stopAt: string }): Surfer {
  const jars = new Map<string, Map<string, string>>();

  async function go(url: string, init: RequestInit, hops = 0): Promise<Place> {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const one of answer.headers.getSetCookie()) keep(jar, one);
    const location = answer.headers.get('location');
    const text = await answer.text();
    if (location === null) return { url, text, form: readForm(url, text) };
    const next = new URL(location, url).href;
    if (next.startsWith(stopAt) || hops === MAX_REDIRECTS) return { url: next, text: '', form: undefined };
    return go(next, {}, hops + 1);
  }

  return {
    open: (url) => go(url, {}),
    send: ({ action, fields }, filled) =>
      go(action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ ...fields, ...filled }).toString(),
      }),
  };
}

function keep(jar: Map<string, string>, setCookie: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
  const isOver = /max-age=0\b/i.test(setCookie) || /expires=Thu, 01 Jan 1970/i.test(setCookie);
  if (isOver) jar.delete(name);
  else jar.set(name, value);
}

function readForm(url: string, text: string): Place['form'] {
  const [form] = /<form[^>]*>[\s\S]*?<\/form>/.exec(text) ?? [];
  if (form === undefined) return undefined;
  const action = new URL(/action="([^"]+)"/.exec(form)?.[1] ?? '', url).href;
  const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].map(([input]) => input);
  const attribute = (input: string, name: string) => new RegExp(`${name}="([^"]*)"`).exec(input)?.[1] ?? '';
  return {
    action,
    fields: Object.fromEntries(hidden.map((input) => [attribute(input, 'name'), attribute(input, 'value')])),
  };
}
