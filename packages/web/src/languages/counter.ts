type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Returns a function whose result is, for example, `1 file` or `2 files`. */
export function counter(locale: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count) => `${numbers.format(count)} ${forms[rules.select(count)] ?? forms.other}`;
}
