import { ApiError } from '@colophon/sdk';
import { type FormEvent, useState } from 'react';
import { shell } from '../strings/shell.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { openClient, useProject } from './project.js';
import { sayError } from './say-error.js';

/** Stores the key only if the service accepts it. */
export function KeyForm({ onDone }: { onDone?: () => void }) {
  const { setKey } = useProject();
  const [key, setTyped] = useState('');
  const [fault, setFault] = useState<string>();
  const [isTrying, setIsTrying] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsTrying(true);
    const problem = await findFault(key.trim());
    setIsTrying(false);
    setFault(problem);
    if (problem !== undefined) return;
    setKey(key.trim());
    onDone?.();
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={shell.key.label}
        hint={shell.key.hint}
        fault={fault}
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={key}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="row">
        <Button type="submit" kind="primary" disabled={isTrying}>
          {isTrying ? shell.key.trying : shell.key.use}
        </Button>
      </div>
    </form>
  );
}

async function findFault(key: string): Promise<string | undefined> {
  if (!/^[\x21-\x7e]+$/.test(key)) return shell.key.empty;
  try {
    await openClient(key).entities.list({ limit: 1 });
    return undefined;
  } catch (error) {
    return error instanceof ApiError && error.code === 'Unauthorized' ? shell.key.unknown : sayError(error);
  }
}
