import type { ApiKey, CreatedApiKey } from '@colophon/model';
import type { PageClient } from '@colophon/sdk';
import { useState } from 'react';
import { manage } from '../strings/manage.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/field.js';
import { Form } from './parts.js';

const { keys: texts } = manage;
const USUAL_OVERLAP_HOURS = '24';

export interface KeyOperation {
  kind: 'rotate' | 'revoke';
  key: ApiKey;
}

interface KeyOperationProps {
  page: PageClient;
  apiKey: ApiKey;
  /** `made`: the new key, when the operation created one. */
  onDone: (made?: CreatedApiKey) => void;
}

export function KeyDialog({
  page,
  operation,
  onDone,
  onClose,
}: Omit<KeyOperationProps, 'apiKey'> & { operation: KeyOperation | undefined; onClose: () => void }) {
  const title = operation?.kind === 'rotate' ? texts.rotateTitle : texts.revokeTitle;
  return (
    <Dialog title={title} isOpen={operation !== undefined} onClose={onClose}>
      {operation?.kind === 'rotate' ? <Rotate page={page} apiKey={operation.key} onDone={onDone} /> : null}
      {operation?.kind === 'revoke' ? <Revoke page={page} apiKey={operation.key} onDone={onDone} /> : null}
    </Dialog>
  );
}

function Rotate({ page, apiKey, onDone }: KeyOperationProps) {
  const [hours, setHours] = useState(USUAL_OVERLAP_HOURS);
  const rotate = async () =>
    onDone(await page.management.apiKeys.rotate(apiKey.id, { overlapHours: Number(hours) }));
  return (
    <Form submit={texts.rotateOf(apiKey.name)} onSubmit={rotate}>
      <p>{texts.rotateHelp}</p>
      <Field
        label={texts.overlap}
        type="number"
        min={0}
        max={720}
        required
        value={hours}
        onChange={(event) => setHours(event.target.value)}
      />
    </Form>
  );
}

function Revoke({ page, apiKey, onDone }: KeyOperationProps) {
  const revoke = async () => {
    await page.management.apiKeys.revoke(apiKey.id);
    onDone();
  };
  return (
    <Form submit={texts.revokeOf(apiKey.name)} kind="danger" onSubmit={revoke}>
      <p>{texts.revokeHelp(apiKey.name)}</p>
    </Form>
  );
}
