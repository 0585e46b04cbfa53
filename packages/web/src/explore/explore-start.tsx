import { parseContentId } from '@colophon/model';
import { type FormEvent, useState } from 'react';
import { navigate } from '../shell/navigation.js';
import { Newest } from '../shell/newest.js';
import { explore } from '../strings/explore.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';

const texts = explore.start;

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
      <Newest of="explore" />
    </>
  );
}
