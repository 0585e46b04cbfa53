import { useState } from 'react';
import { Field } from '../ui/field.js';
import { Form } from './parts.js';

/** The user must type `word` before the deletion. */
export function DeleteCard({
  title,
  help,
  confirm,
  word,
  onDelete,
}: {
  title: string;
  help: string;
  confirm: string;
  word: string;
  onDelete: () => Promise<unknown>;
}) {
  const [typed, setTyped] = useState('');
  return (
    <section className="card narrow">
      <h2>{title}</h2>
      <p>{help}</p>
      <Form
        submit={title}
        kind="danger"
        onSubmit={async () => {
          if (typed !== word) throw new Error(confirm);
          await onDelete();
        }}
      >
        <Field
          label={confirm}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Form>
    </section>
  );
}
