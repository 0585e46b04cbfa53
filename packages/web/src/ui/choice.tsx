import { type ReactNode, useId } from 'react';

export function Choice<Value extends string>({
  label,
  options,
  value,
  isLabelUnseen = false,
  hint,
  onChoose,
}: {
  label: ReactNode;
  options: readonly { value: Value; text: string }[];
  value: Value;
  /** Only screen readers read the label. */
  isLabelUnseen?: boolean;
  hint?: string | undefined;
  onChoose: (value: Value) => void;
}) {
  const id = useId();
  const choose = (chosen: string) => {
    const found = options.find((option) => option.value === chosen);
    if (found !== undefined) onChoose(found.value);
  };
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelUnseen ? 'unseen' : undefined}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => choose(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
