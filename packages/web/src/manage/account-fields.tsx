import { manage } from '../strings/manage.js';
import { Field } from '../ui/field.js';

interface Typed {
  value: string;
  onChange: (value: string) => void;
}

export function AccountField({ hint, value, onChange }: Typed & { hint?: string }) {
  return (
    <Field
      label={manage.signIn.name}
      hint={hint}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Only a new password has a minimum length. */
export function PasswordField({
  label,
  isNew = false,
  value,
  onChange,
}: Typed & { label: string; isNew?: boolean }) {
  const terms = isNew
    ? { hint: manage.join.passwordHint, autoComplete: 'new-password', minLength: 12 }
    : { autoComplete: 'current-password' };
  return (
    <Field
      {...terms}
      label={label}
      type="password"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
