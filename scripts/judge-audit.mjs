export const NOT_CHECKED = 'not checked';

const SERIOUS = ['high', 'critical'];

/**
 * Interprets the output of `npm audit --json`. The outcome is `found` for a vulnerability of severity high or above
 * that is not allowed; otherwise `none` or NOT_CHECKED. An entry of `allowed` needs a reason and applies until its
 * date. `says` also names expired and unnecessary entries.
 */
export function judgeAudit(stdout, { allowed, today }) {
  const report = parse(stdout);
  if (report?.vulnerabilities === undefined) {
    const why = report?.message ?? 'no answer';
    return {
      outcome: NOT_CHECKED,
      says: [`NOT CHECKED: the registry did not answer with its advisories (${why}).`],
    };
  }
  const advisories = listAdvisories(report.vulnerabilities);
  const isLetThrough = ({ id }) =>
    allowed.some(({ advisory, reason, until }) => advisory === id && reason !== '' && until >= today);
  const found = advisories.filter((one) => !isLetThrough(one));
  const needless = allowed.filter(({ advisory }) => !advisories.some(({ id }) => id === advisory));
  return {
    outcome: found.length === 0 ? 'none' : 'found',
    says: [
      ...found.map(({ id, name, severity, title }) => `${severity}: ${name}: ${title} (${id})`),
      ...allowed
        .filter(({ until }) => until < today)
        .map(
          ({ advisory, until }) =>
            `${advisory} was allowed until ${until}. Update the package, or set a new date.`,
        ),
      ...needless.map(
        ({ advisory }) =>
          `${advisory} is allowed, but no package has it. Remove it from scripts/audit-allowed.json.`,
      ),
      ...(found.length === 0 ? ['No vulnerability of severity high or above is known.'] : []),
    ],
  };
}

/** The id of an advisory is the end of its URL, such as GHSA-... */
function listAdvisories(vulnerabilities) {
  const each = Object.values(vulnerabilities).flatMap(({ via }) =>
    via.filter((one) => typeof one === 'object'),
  );
  const serious = each
    .filter(({ severity }) => SERIOUS.includes(severity))
    .map(({ url, name, severity, title }) => ({ id: url.split('/').at(-1), name, severity, title }));
  return [...new Map(serious.map((one) => [one.id, one])).values()];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
