import type { Publication, Withholdable } from '@colophon/model';
import { type FormEvent, useId, useState } from 'react';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { publish } from '../strings/publish.js';
import { Button } from '../ui/button.js';
import { CopyText } from '../ui/copy-text.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { badgeCode } from './embed.js';
import { Existing } from './publications-list.js';
import { toPublication } from './to-publication.js';
import './publishing.css';

const THINGS = Object.keys(publish.things) as Withholdable[];
const USUAL: readonly Withholdable[] = ['wallets', 'metadata', 'notes', 'prompts', 'details'];

/** Asks for the data to withhold and for the duration. After the publication, shows the link. */
export function PublishForm({ cid }: { cid: string }) {
  const client = useClient();
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
    } catch (error) {
      setFault(sayError(error));
    }
    setIsWorking(false);
  };
  if (made !== undefined) return <Made publication={made} />;
  return (
    <>
      <form className="stack" onSubmit={submit}>
        <p>{publish.why}</p>
        <Field label={publish.heading} hint={publish.headingHint} name="title" maxLength={200} />
        <fieldset className="choices">
          <legend>{publish.hide}</legend>
          {THINGS.map((thing) => (
            <label key={thing}>
              <input type="checkbox" name="withhold" value={thing} defaultChecked={USUAL.includes(thing)} />
              {publish.things[thing]}
            </label>
          ))}
          <label>
            <input type="checkbox" name="hideAll" />
            {publish.people}
          </label>
          <p className="hint">{publish.detailsGo}</p>
        </fieldset>
        <div className="choices">
          <label>
            <input type="checkbox" name="titles" />
            {publish.titles}
          </label>
          <label>
            <input type="checkbox" name="picture" />
            {publish.picture}
          </label>
        </div>
        <Life />
        {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
        <div className="row">
          <Button type="submit" kind="primary" disabled={isWorking}>
            {isWorking ? publish.working : publish.submit}
          </Button>
        </div>
      </form>
      <Existing cid={cid} />
    </>
  );
}

function Life() {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{publish.until}</label>
      <select id={id} name="days">
        {publish.lives.map(([days, text]) => (
          <option key={days} value={days}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Made({ publication: { id, path } }: { publication: Publication }) {
  const link = new URL(path, window.location.origin).href;
  return (
    <div className="stack">
      <Notice kind="good" title={publish.done} />
      <div>
        <h3>{publish.link}</h3>
        <CopyText text={link} label={publish.link} />
      </div>
      <p>
        <a href={link} target="_blank" rel="noopener">
          {publish.view}
        </a>
      </p>
      <div>
        <h3>{publish.code}</h3>
        <CopyText text={badgeCode(id)} label={publish.code} />
      </div>
    </div>
  );
}
