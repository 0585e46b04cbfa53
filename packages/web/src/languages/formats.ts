import { languageInUse } from './texts.js';

const day = lazily((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }));
const instant = lazily(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }),
);
const zoned = lazily((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }));
const numbers = lazily((locale) => new Intl.NumberFormat(locale));
const list = lazily((locale) => new Intl.ListFormat(locale, { type: 'conjunction' }));

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const THOUSAND = 1000;

/** Returns, for example, `21 November 2026`. For an instant, use `Instant`. */
export function formatDay(at: string): string {
  return day().format(new Date(at));
}

/** Returns, for example, `21 November 2026 at 09:30`, in the reader's time zone. */
export function formatInstant(at: string): string {
  return instant().format(new Date(at));
}

/** Returns, for example, `Saturday 21 November 2026 at 09:30:00 CET`, in the reader's time zone. */
export function formatZoned(at: string): string {
  return zoned().format(new Date(at));
}

export function formatNumber(value: number): string {
  return numbers().format(value);
}

/** Returns, for example, `12.50`. */
export function formatDecimal(value: number, decimals: number): string {
  const format = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(languageInUse().locale, format).format(value);
}

/** A share from 0 to 1, rounded down, such as `12%`. */
export function formatPercent(share: number): string {
  const format = { style: 'percent', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(languageInUse().locale, format).format(Math.floor(share * 100) / 100);
}

/** Returns, for example, `Ann, Bo and Cy`. */
export function formatList(items: readonly string[]): string {
  return list().format(items);
}

/** Returns, for example, `1.4 MB`, in powers of 1000. */
export function formatSize(sizeBytes: number): string {
  const power = Math.min(
    UNITS.length - 1,
    Math.floor(Math.log10(Math.max(1, sizeBytes)) / Math.log10(THOUSAND)),
  );
  const unit = UNITS[power] ?? 'byte';
  const unitDisplay = power === 0 ? 'long' : 'short';
  const format = { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(languageInUse().locale, format).format(sizeBytes / THOUSAND ** power);
}

function lazily<Format>(make: (locale: string) => Format): () => Format {
  const made = new Map<string, Format>();
  return () => {
    const { locale } = languageInUse();
    const known = made.get(locale);
    if (known !== undefined) return known;
    const format = make(locale);
    made.set(locale, format);
    return format;
  };
}
