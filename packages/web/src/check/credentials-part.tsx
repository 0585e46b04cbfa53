import type { Display, Manifest, MediaExtraction, PublishedFacts, StatusCode } from '@colophon/model';
import { check } from '../strings/check.js';
import { Instant } from '../ui/instant.js';
import type { Examined } from './credentials/examine.js';
import { sayChange, sayIdentity, sayReason } from './say-credentials.js';
import { levelOfExtraction, nameLevelInCredentials } from './verdict-facts.js';

const text = check.credentials;

/** Shows the result of the browser until the service answers. */
export function CredentialsPart({
  examined,
  extraction,
  next,
}: {
  examined: Examined | undefined;
  extraction: MediaExtraction | null | undefined;
  /** Says where to find out more about credentials that the browser cannot judge. */
  next: string;
}) {
  return (
    <section className="card">
      <h3>{text.title}</h3>
      {extraction === undefined ? (
        <ByBrowser {...{ examined, next }} />
      ) : (
        <ByService extraction={extraction} />
      )}
    </section>
  );
}

function ByService({ extraction }: { extraction: MediaExtraction | null }) {
  if (extraction === null) return <p>{check.service.unsupported}</p>;
  const { validation, display } = extraction;
  if (validation === null) return <p>{check.service.none}</p>;
  return (
    <>
      <p>
        <strong className={`state ${validation.state}`}>{check.service.states[validation.state]}</strong>
      </p>
      {validation.state === 'invalid' ? <p>{sayReason(validation)}</p> : null}
      {display === null || validation.state === 'invalid' ? null : (
        <Facts display={display} manifest={extraction.manifest} ai={levelOfExtraction(extraction)} />
      )}
      <Codes codes={validation.codes} />
    </>
  );
}

function ByBrowser({ examined, next }: { examined: Examined | undefined; next: string }) {
  if (examined === undefined) return <p className="quiet">{check.examining}</p>;
  if (examined.kind === 'altered') {
    return (
      <>
        <p>{text.altered}</p>
        <Codes codes={examined.codes} />
      </>
    );
  }
  if (examined.kind === 'none') return <p>{text.none}</p>;
  if (examined.kind !== 'unchanged')
    return (
      <p>
        {text[examined.kind]} {next}
      </p>
    );
  return (
    <>
      <Facts display={examined.display} manifest={examined.manifest} ai={examined.ai} />
      <p className="quiet">
        {text.notTrust} {next}
      </p>
      <Codes codes={examined.codes} />
    </>
  );
}

function Facts({
  display: { signedBy, signedAt, tool, changes },
  manifest,
  ai,
}: {
  display: Display;
  manifest: Manifest | null;
  ai: PublishedFacts['ai'] | undefined;
}) {
  const identities = manifest?.identities.map(sayIdentity) ?? [];
  return (
    <dl className="facts">
      <dt>{text.signedBy}</dt>
      <dd>
        {signedBy}
        {', '}
        {signedAt === null ? text.notTimed : <Instant at={signedAt} />}
      </dd>
      {identities.length === 0 ? null : (
        <>
          <dt>{text.identities}</dt>
          <dd>{identities.join('; ')}</dd>
        </>
      )}
      {tool === null ? null : (
        <>
          <dt>{text.tool}</dt>
          <dd>{tool}</dd>
        </>
      )}
      <dt>{text.ai}</dt>
      <dd>
        {ai === undefined || ai === 'unstated' ? text.noAi : <strong>{nameLevelInCredentials(ai)}</strong>}
      </dd>
      <dt>{text.changes}</dt>
      <dd>{changes.length === 0 ? text.noChanges : <Changes changes={changes} />}</dd>
    </dl>
  );
}

function Changes({ changes }: { changes: Display['changes'] }) {
  return (
    <ol className="plain">
      {changes.map((change, index) => (
        // The same change can occur twice, so only its position identifies it.
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={index}>{sayChange(change)}</li>
      ))}
    </ol>
  );
}

function Codes({ codes }: { codes: readonly StatusCode[] }) {
  const names = [...new Set(codes.map(({ code, kind }) => `${kind}: ${code}`))];
  return (
    <details>
      <summary>{text.codes}</summary>
      <ul className="codes">
        {names.map((name) => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
