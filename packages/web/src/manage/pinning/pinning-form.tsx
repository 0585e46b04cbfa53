import type { Project } from '@colophon/model';
import { pinning as texts } from '../../strings/pinning.js';
import { Choice } from '../../ui/choice.js';
import { Field } from '../../ui/field.js';
import { Form } from '../parts.js';
import { fateOfToken, type PinningDraft, PROVIDERS, STATES } from './pinning-draft.js';

export function PinningForm({
  project,
  draft,
  onChange,
  onSave,
}: {
  project: Project;
  draft: PinningDraft;
  onChange: (part: Partial<PinningDraft>) => void;
  onSave: () => Promise<unknown>;
}) {
  const { state, provider } = draft;
  const chooseProvider = (next: PinningDraft['provider']) => {
    const stored = next === project.ipfsProvider ? project.ipfsGateway : null;
    onChange({ provider: next, address: stored ?? '', token: '' });
  };
  return (
    <Form submit={texts.save} onSubmit={onSave}>
      <Choice
        label={texts.state}
        value={state}
        options={STATES.map((value) => ({ value, text: texts.states[value] }))}
        onChoose={(next) => onChange({ state: next })}
      />
      <Choice
        label={texts.provider}
        value={provider}
        options={PROVIDERS.map((value) => ({ value, text: texts.providers[value] }))}
        onChoose={chooseProvider}
      />
      {provider === 'none' ? null : <OwnService {...{ project, draft, provider, onChange }} />}
    </Form>
  );
}

function OwnService({
  project,
  draft,
  provider,
  onChange,
}: {
  project: Project;
  draft: PinningDraft;
  provider: Exclude<PinningDraft['provider'], 'none'>;
  onChange: (part: Partial<PinningDraft>) => void;
}) {
  const fate = fateOfToken(draft, project);
  const hint = fate === 'kept' ? texts.tokenKept : texts.tokenHints[provider];
  return (
    <>
      <Field
        label={texts.address}
        hint={texts.addressHints[provider]}
        type="url"
        required={provider === 'kubo'}
        spellCheck={false}
        value={draft.address}
        onChange={(event) => onChange({ address: event.target.value })}
      />
      <Field
        label={texts.token}
        hint={fate === 'deleted' ? `${hint} ${texts.tokenElsewhere}` : hint}
        type="password"
        name="pinning-token"
        // With `off`, browsers would still fill in a stored password.
        autoComplete="new-password"
        required={provider === 'pinata' && fate !== 'kept'}
        minLength={8}
        maxLength={4096}
        value={draft.token}
        onChange={(event) => onChange({ token: event.target.value })}
      />
    </>
  );
}
