import { type Action, parseContentId } from '@colophon/model';
import { type FormEvent, useEffect, useState } from 'react';
import { Link, navigate } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { sayError } from '../shell/say-error.js';
import { explore } from '../strings/explore.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import { shortCid, titleOfType } from './history/labels.js';
import './explore.css';

const texts = explore.start;
const NEWEST = 20;

/** Where to begin: a content by its id, or one of the newest. */
export function ExploreStart() {
  const [cid, setCid] = useState('');
  const [fault, setFault] = useState<string>();
  const open = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseContentId(cid.trim());
    setFault(parsed === undefined ? texts.wrong : undefined);
    if (parsed !== undefined) navigate(`/explore/${parsed}`);
  };
  return (
    <>
      <h1>{explore.title}</h1>
      <p>{texts.why}</p>
      <form className="card narrow" onSubmit={open}>
        <Field
          label={texts.field}
          hint={texts.hint}
          fault={fault}
          value={cid}
          spellCheck={false}
          onChange={(event) => setCid(event.target.value)}
        />
        <div className="row">
          <Button type="submit" kind="primary">
            {texts.open}
          </Button>
        </div>
      </form>
      <Newest />
    </>
  );
}

function Newest() {
  const client = useClient();
  const [actions, setActions] = useState<Action[]>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    const ending = new AbortController();
    client.actions
      .list({ limit: NEWEST }, { signal: ending.signal })
      .then(({ actions: read }) => setActions(read))
      .catch((error) => {
        if (!ending.signal.aborted) setFault(sayError(error));
      });
    return () => ending.abort();
  }, [client]);
  const made = (actions ?? []).flatMap(({ id, type, timestamp, outputCids }) =>
    outputCids.slice(0, 1).map((cid) => ({ id, cid, type, timestamp })),
  );
  return (
    <section className="card">
      <h2>{texts.newest}</h2>
      {fault === undefined ? null : <Notice kind="danger">{fault}</Notice>}
      {actions !== undefined && made.length === 0 ? <p className="quiet">{texts.none}</p> : null}
      <ul className="bare">
        {made.map(({ id, cid, type, timestamp }) => (
          <li key={id}>
            <Link to={`/explore/${cid}`}>
              {titleOfType(type)} {shortCid(cid)}
            </Link>{' '}
            <span className="quiet">{new Date(timestamp).toLocaleString()}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
