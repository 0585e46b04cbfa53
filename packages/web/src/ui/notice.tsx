import type { ReactNode } from 'react';

/** The words should state the kind too, because some people do not see colours. */
export function Notice({
  kind,
  title,
  children,
}: {
  kind: 'info' | 'good' | 'warning' | 'danger';
  title?: string;
  children?: ReactNode;
}) {
  return (
    <div className={`notice ${kind}`} role={kind === 'danger' ? 'alert' : undefined}>
      {title === undefined ? null : <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}
