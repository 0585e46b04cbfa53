import type { ButtonHTMLAttributes } from 'react';

/** A button: `primary` for the most frequent next step, `quiet` for rare ones. */
export function Button({
  kind = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'primary' | 'plain' | 'quiet' | 'danger' }) {
  return <button type="button" {...rest} className={`button ${kind} ${className}`.trim()} />;
}
