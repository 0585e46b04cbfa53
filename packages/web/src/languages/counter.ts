type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Returns a function that writes a number with the matching form of a noun, such as `1 file` or `2 files`. */
export function counter(locale: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  return (count) => `${numbers.format(count)} ${forms[rules.select(count)] ?? forms.other}`;
}
