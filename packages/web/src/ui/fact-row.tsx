import type { ReactNode } from 'react';

/** Shows nothing without a value. */
export function FactRow({ name, value }: { name: string; value: ReactNode }) {
  if (value === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
