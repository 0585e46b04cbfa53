import { parseContentId } from '@colophon/model';
import { type FormEvent, useState } from 'react';
import { navigate } from '../shell/navigation.js';
import { Newest } from '../shell/newest.js';
import { shares } from '../strings/shares.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';

const text = shares.start;

/** Asks for the content whose shares are to be shown. */
export function SharesStart() {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const open = (event: FormEvent) => {
    event.preventDefault();
    const cid = parseContentId(typed.trim());
    setFault(cid === undefined ? text.wrong : undefined);
    if (cid !== undefined) navigate(`/shares/${cid}`);
  };
  return (
    <>
      <h1>{shares.title}</h1>
      <p className="quiet">{shares.lead}</p>
      <form className="card narrow" onSubmit={open}>
        <Field
          label={text.field}
          hint={text.hint}
          fault={fault}
          value={typed}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="row">
          <Button type="submit" kind="primary">
            {text.open}
          </Button>
        </div>
      </form>
      <Newest of="shares" />
    </>
  );
}
