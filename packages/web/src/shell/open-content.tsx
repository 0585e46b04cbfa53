import { parseContentId } from '@colophon/model';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { navigate } from './navigation.js';

interface Texts {
  field: string;
  hint: string;
  open: string;
  wrong: string;
}

export function OpenContent({ of, texts }: { of: 'explore' | 'shares'; texts: Texts }) {
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const open = (event: FormEvent) => {
    event.preventDefault();
    const cid = parseContentId(typed.trim());
    setFault(cid === undefined ? texts.wrong : undefined);
    if (cid !== undefined) navigate(`/${of}/${cid}`);
  };
  return (
    <form className="card narrow" onSubmit={open}>
      <Field
        label={texts.field}
        hint={texts.hint}
        fault={fault}
        value={typed}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="row">
        <Button type="submit" kind="primary">
          {texts.open}
        </Button>
      </div>
    </form>
  );
}
