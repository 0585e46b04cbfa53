import type { FormEvent, ReactNode } from 'react';
import { type Doing, type Loaded, useDoing } from '../shell/use-loaded.js';
import { manage } from '../strings/manage.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { Notice } from '../ui/notice.js';
import './manage.css';

export function Show<Value>({
  loaded: { value, fault, reload },
  children,
}: {
  loaded: Loaded<Value>;
  children: (value: Value) => ReactNode;
}) {
  return (
    <>
      {fault === undefined ? null : (
        <Notice kind="danger" title={fault}>
          <Button onClick={reload}>{manage.again}</Button>
        </Notice>
      )}
      {value === undefined
        ? fault === undefined && <p className="quiet">{manage.loading}</p>
        : children(value)}
    </>
  );
}

export function Form({
  label,
  submit,
  busy = submit,
  kind = 'primary',
  onSubmit,
  children,
}: {
  label?: string;
  submit: string;
  busy?: string;
  kind?: 'primary' | 'plain' | 'danger';
  onSubmit: () => Promise<unknown>;
  children?: ReactNode;
}) {
  const doing = useDoing();
  const send = (event: FormEvent) => {
    event.preventDefault();
    void doing.run(onSubmit);
  };
  return (
    <form className="stack" aria-label={label} onSubmit={send}>
      {children}
      <Fault of={doing} />
      <div className="row">
        <Button type="submit" kind={kind} disabled={doing.isBusy}>
          {doing.isBusy ? busy : submit}
        </Button>
      </div>
    </form>
  );
}

export function Fault({ of: { fault } }: { of: Doing }) {
  return fault === undefined ? null : <Notice kind="danger" title={fault} />;
}

export function NameField({
  label,
  name,
  onChange,
}: {
  label: string;
  name: string;
  onChange: (name: string) => void;
}) {
  return (
    <Field
      label={label}
      required
      minLength={2}
      maxLength={64}
      value={name}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function Check({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    <label className="row check">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** A column without a name contains buttons. */
export function Table({
  label,
  head,
  stacks = false,
  children,
}: {
  label: string;
  head: readonly string[];
  /** A narrow screen shows each row as a block, labelled by `data-name` of its cells. */
  stacks?: boolean;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it too
    <section className={stacks ? 'table stacked' : 'table'} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name === '' ? <span className="unseen">{manage.deeds}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
