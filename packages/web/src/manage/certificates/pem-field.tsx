import { type ChangeEvent, useId, useState } from 'react';
import { certificates as texts } from '../../strings/certificates.js';

/** Limit of the service, in characters. */
const MAX_PEM = 65_536;
const FILES = '.pem,.crt,.cer,.key';

/** A chosen file stays in the browser until the form is sent. */
export function PemField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  onChange: (pem: string) => void;
}) {
  const id = useId();
  const [fault, setFault] = useState<string>();
  const change = (pem: string) => {
    setFault(undefined);
    onChange(pem);
  };
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // Without this, choosing the same file again would cause no event.
    target.value = '';
    if (file === undefined) return;
    if (file.size > MAX_PEM) return setFault(texts.tooLarge);
    try {
      const pem = await file.text();
      if (pem.includes('-----BEGIN')) change(pem);
      else setFault(texts.notPem);
    } catch {
      setFault(texts.unread);
    }
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        required
        maxLength={MAX_PEM}
        spellCheck={false}
        autoComplete="off"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onChange={(event) => change(event.target.value)}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      <input type="file" accept={FILES} aria-label={texts.fromFile(label)} onChange={read} />
      {fault === undefined ? null : (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
