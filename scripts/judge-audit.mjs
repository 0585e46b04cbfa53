/** The outcome when the registry did not answer: nothing is known then. */
export const NOT_CHECKED = 'not checked';

const SERIOUS = ['high', 'critical'];

/**
 * What an answer of `npm audit --json` means: `{ outcome, says }`, with `found` for a vulnerability of severity high or above
 * that is not allowed, `none`, or NOT_CHECKED. `allowed` lists `{ advisory, reason, until }`: an advisory is let through for a
 * reason and until a day, and one that is listed for no reason, or without need, is told.
 */
export function judgeAudit(stdout, { allowed, today }) {
  const report = parse(stdout);
  if (report?.vulnerabilities === undefined) {
    const why = report?.message ?? 'no answer';
    return { outcome: NOT_CHECKED, says: [`NOT CHECKED: the registry did not say what is known (${why}).`] };
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
        .map(({ advisory, until }) => `${advisory} was allowed until ${until}: update, or decide anew.`),
      ...needless.map(({ advisory }) => `${advisory} is allowed, but nothing has it: take it off the list.`),
      ...(found.length === 0 ? ['No vulnerability of severity high or above is known.'] : []),
    ],
  };
}

/** The serious ones, each once. Their name is the end of their address, such as GHSA-... */
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
