import { manage } from '../strings/manage.js';
import { Field } from '../ui/field.js';

/** The pattern of `accountNameField`, with optional spaces at both ends. The browser adds `^` and `$`. */
const NAME_PATTERN = String.raw`\s*[A-Za-z0-9][A-Za-z0-9._@+\-]{1,63}\s*`;

export function isAccountName(text: string): boolean {
  return new RegExp(`^${NAME_PATTERN}$`).test(text);
}

interface Typed {
  value: string;
  onChange: (value: string) => void;
}

/** Only a new name must match the pattern. */
export function AccountField({ isNew = false, value, onChange }: Typed & { isNew?: boolean }) {
  const terms = isNew
    ? {
        label: manage.join.name,
        hint: manage.join.nameHint,
        title: manage.join.nameHint,
        pattern: NAME_PATTERN,
      }
    : { label: manage.signIn.name };
  return (
    <Field
      {...terms}
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
