import { useId } from 'react';

/** `share` is from 0 to 1, and undefined while the total is unknown. */
export function Progress({ label, share }: { label: string; share: number | undefined }) {
  const id = useId();
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  return (
    <div className="progress">
      <label htmlFor={id}>{label}</label>
      {percent === undefined ? <progress id={id} /> : <progress id={id} max={100} value={percent} />}
      {percent === undefined ? null : <span aria-hidden="true">{percent} %</span>}
    </div>
  );
}
