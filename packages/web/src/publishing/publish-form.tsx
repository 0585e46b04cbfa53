import type { Bundle, Publication, PublishedFacts, Withholdable } from '@colophon/model';
import { type FormEvent, useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import { LocalNote } from '../shell/local-note.js';
import { Link } from '../shell/navigation.js';
import { openClient, useClient } from '../shell/project.js';
import { ReadOnly, useReadingMember } from '../shell/reading-member.js';
import { sayError } from '../shell/say-error.js';
import { type Loaded, useLoaded } from '../shell/use-loaded.js';
import { useTitles } from '../shell/use-titles.js';
import { publish } from '../strings/publish.js';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { SiteCode } from './embed.js';
import { findLicenses } from './find-licenses.js';
import { LeftOut } from './left-out.js';
import { LicenseChoice } from './license-choice.js';
import { NotFindable } from './not-findable.js';
import { Existing } from './publications-list.js';
import { sayOtherData } from './say-other-data.js';
import { type PeopleChoice, toPublication, toWithheld } from './to-publication.js';
import { type MarkOffer, Unmarked } from './unmarked.js';
import './publishing.css';

/** The parts of a history, in the order of the form. By default, only the AI tools are shown. */
const THINGS = [
  'tools',
  'notes',
  'prompts',
  'metadata',
  'wallets',
  'details',
] as const satisfies Withholdable[];

const OTHER_DATA = 'other-data';

const PUBLISHED = { direction: 'ancestors', limit: 500 } as const;

/**
 * A user who can only read sees the members who can change roles instead. `markOffer`: a marked copy, which the user
 * should publish.
 */
export function PublishForm({
  cid,
  markOffer,
  onPublished,
}: {
  cid: string;
  markOffer: MarkOffer | undefined;
  onPublished: () => void;
}) {
  const { reader, isLoading } = useReadingMember();
  if (isLoading) return <p className="quiet">{shell.loading}</p>;
  if (reader !== undefined) return <ReadOnly member={reader} />;
  return (
    <>
      {markOffer === undefined ? null : <Unmarked cid={cid} offer={markOffer} />}
      <WriterForm cid={cid} onPublished={onPublished} />
    </>
  );
}

function WriterForm({ cid, onPublished }: { cid: string; onPublished: () => void }) {
  const client = useClient();
  const history = useLoaded(useCallback(() => client.histories.bundle(cid, PUBLISHED), [client, cid]));
  // Until the history is loaded, the form cannot know whether to show a licence.
  const isLoaded = history.value !== undefined || history.fault !== undefined;
  const [made, setMade] = useState<Publication>();
  const [fault, setFault] = useState<string>();
  const [isWorking, setIsWorking] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsWorking(true);
    setFault(undefined);
    try {
      setMade(await client.publications.create(toPublication(cid, form)));
      onPublished();
    } catch (error) {
      setFault(sayError(error));
    }
    setIsWorking(false);
  };
  if (made !== undefined) return <Made publication={made} />;
  return (
    <>
      <NotFindable />
      <Existing cid={cid} />
      <form className="stack" onSubmit={submit}>
        <p>{publish.why}</p>
        <Heading cid={cid} />
        <Selection name="days" label={publish.until} options={publish.lives} />
        <Shown history={history} />
        {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
        <div className="row">
          <Button type="submit" kind="primary" disabled={isWorking || !isLoaded}>
            {isWorking ? publish.working : publish.submit}
          </Button>
        </div>
      </form>
      <p>
        <Link to="/links">{publish.all}</Link>
      </p>
    </>
  );
}

function Shown({ history }: { history: Loaded<Bundle> }) {
  const [people, setPeople] = useState<PeopleChoice>('names');
  const [shown, setShown] = useState<readonly Withholdable[]>(['tools']);
  const [chosenLicense, setLicense] = useState<boolean>();
  const licenses = useMemo(() => history.value && findLicenses(history.value), [history.value]);
  const license = chosenLicense ?? (licenses !== undefined && licenses.all.length > 0);
  const isAllShown = !toWithheld(people, shown).includes('details');
  const licenseBox = useRef<HTMLInputElement>(null);
  const showLicense = () => {
    setLicense(true);
    licenseBox.current?.focus(); // the focused button disappears
  };
  const change = (thing: Withholdable, isOn: boolean) =>
    setShown(THINGS.filter((one) => (one === thing ? isOn : shown.includes(one))));
  return (
    <>
      <Selection
        name="people"
        label={publish.people}
        options={Object.entries(publish.peopleAs)}
        value={people}
        onChange={(value) => setPeople(value as PeopleChoice)}
      />
      <fieldset className="choices">
        <legend>{publish.show}</legend>
        <label>
          <input type="checkbox" name="picture" />
          {publish.picture}
        </label>
        <label>
          <input type="checkbox" name="titles" />
          {publish.titles}
        </label>
        <LicenseChoice
          box={licenseBox}
          licenses={licenses}
          isShown={license}
          isAllShown={isAllShown}
          onChange={setLicense}
        />
        {THINGS.map((thing) => (
          <label key={thing}>
            <input
              type="checkbox"
              name="show"
              value={thing}
              aria-describedby={thing === 'details' ? OTHER_DATA : undefined}
              checked={shown.includes(thing)}
              onChange={({ target }) => change(thing, target.checked)}
            />
            {publish.things[thing]}
          </label>
        ))}
        <OtherData bundle={history.value} />
      </fieldset>
      {history.fault === undefined ? null : (
        <Notice kind="warning" title={publish.unknown}>
          <p>{history.fault}</p>
        </Notice>
      )}
      <LeftOut
        bundle={history.value}
        people={people}
        shown={shown}
        license={{ isShown: license, onShow: showLicense, names: licenses?.all ?? [] }}
      />
    </>
  );
}

function OtherData({ bundle }: { bundle: Bundle | undefined }) {
  if (bundle === undefined) return null;
  return (
    <p id={OTHER_DATA} className="hint">
      {sayOtherData(bundle)}
    </p>
  );
}

/** A button copies the title of the file, which can be a file name. */
function Heading({ cid }: { cid: string }) {
  const { titles } = useTitles(
    useClient(),
    useMemo(() => [cid], [cid]),
  );
  const place = useRef<HTMLDivElement>(null);
  const [own] = Object.values(titles);
  const take = () => {
    const field = place.current?.querySelector('input');
    if (field) field.value = own ?? '';
  };
  return (
    <div ref={place} className="stack heading">
      <Field label={publish.heading} hint={publish.headingHint} name="title" maxLength={200} />
      {own === undefined ? null : (
        <div className="row">
          <Button onClick={take}>{publish.useTitle(own)}</Button>
        </div>
      )}
    </div>
  );
}

/** Without `value`, the form stores the choice. */
function Selection({
  name,
  label,
  options,
  value,
  onChange,
}: {
  name: string;
  label: string;
  options: readonly (readonly [value: string | number, text: string])[];
  value?: string;
  onChange?: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={({ target }) => onChange?.(target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Made({ publication: { id, path } }: { publication: Publication }) {
  const link = new URL(path, window.location.origin).href;
  const facts = useFacts(id);
  return (
    <div className="stack">
      <Notice kind="good" title={publish.done} />
      <div>
        <h3>{publish.link}</h3>
        <CopyText text={link} label={publish.link} />
        <LocalNote />
      </div>
      <p>
        <a href={link} target="_blank" rel="noopener">
          {publish.view}
        </a>
      </p>
      {facts === 'loading' ? null : (
        <div className="stack">
          <h3>{publish.code}</h3>
          <SiteCode id={id} facts={facts} />
        </div>
      )}
    </div>
  );
}

/** Returns undefined when the service returns no facts. */
function useFacts(id: string): PublishedFacts | 'loading' | undefined {
  const [facts, setFacts] = useState<PublishedFacts | 'loading' | undefined>('loading');
  useEffect(() => {
    const ending = new AbortController();
    openClient()
      .published.summary(id, { signal: ending.signal })
      .then((summary) => setFacts(summary.facts))
      .catch(() => setFacts(undefined)); // the HTML for sites then has only the badge
    return () => ending.abort();
  }, [id]);
  return facts;
}
