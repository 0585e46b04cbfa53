import type { ReactNode } from 'react';

/** Something to know at a glance; its kind is told by its words too, never by colour alone. */
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
