import { MAX_TITLE_LENGTH } from '@colophon/model';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../shell/project.js';
import { sayError } from '../../shell/say-error.js';
import { explore } from '../../strings/explore.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';

const texts = explore.details.title;

interface TitleFieldProps {
  cid: string;
  title: string | undefined;
  onTitle: (cid: string, title: string | null) => void;
}

/** An empty field removes the title. */
export function TitleField({ cid, title = '', onTitle }: TitleFieldProps) {
  const client = useClient();
  const [fault, setFault] = useState<string>();
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get('title') ?? '').trim();
    try {
      onTitle(cid, (await client.resources.update(cid, { title: typed === '' ? null : typed })).title);
      setFault(undefined);
    } catch (error) {
      setFault(sayError(error));
    }
  };
  return (
    <details>
      <summary>{title === '' ? texts.give : texts.change}</summary>
      <form className="stack" onSubmit={save}>
        <Field
          label={texts.label}
          hint={texts.hint}
          fault={fault}
          name="title"
          maxLength={MAX_TITLE_LENGTH}
          defaultValue={title}
        />
        <div className="row">
          <Button type="submit">{texts.save}</Button>
        </div>
      </form>
    </details>
  );
}
