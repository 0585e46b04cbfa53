import type { ButtonHTMLAttributes } from 'react';

/** `primary` is for the most frequent next step, `quiet` for rare steps. */
export function Button({
  kind = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { kind?: 'primary' | 'plain' | 'quiet' | 'danger' }) {
  return <button type="button" {...rest} className={`button ${kind} ${className}`.trim()} />;
}
