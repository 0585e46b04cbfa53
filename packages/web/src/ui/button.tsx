import type { ButtonHTMLAttributes } from 'react';

/** A button; `primary` is what most people want next, `quiet` what few want. */
export function Button({
  kind = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'primary' | 'plain' | 'quiet' | 'danger' }) {
  return <button type="button" {...rest} className={`button ${kind} ${className}`.trim()} />;
}
