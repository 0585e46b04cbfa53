import { type InputHTMLAttributes, type ReactNode, useId } from 'react';

export function Field({
  label,
  hint,
  fault,
  ...input
}: {
  label: ReactNode;
  hint?: ReactNode;
  fault?: string | undefined;
} & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const describedBy = [hint === undefined ? '' : `${id}-hint`, fault === undefined ? '' : `${id}-fault`];
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        aria-describedby={describedBy.filter(Boolean).join(' ') || undefined}
        aria-invalid={fault === undefined ? undefined : true}
      />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
      {fault === undefined ? null : (
        <p id={`${id}-fault`} className="fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}
