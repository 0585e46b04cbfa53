import { type DragEvent, type ReactNode, useId, useState } from 'react';

export function FileDrop({
  title,
  hint,
  isMultiple = false,
  onFiles,
}: {
  title: string;
  hint?: ReactNode;
  isMultiple?: boolean;
  onFiles: (files: File[]) => void;
}) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const taken = Array.from(files ?? []).slice(0, isMultiple ? undefined : 1);
    if (taken.length > 0) onFiles(taken);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <label
      htmlFor={id}
      className={isOver ? 'file-drop over' : 'file-drop'}
      onDrop={drop}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
    >
      <span className="file-drop-title">{title}</span>
      {hint === undefined ? null : <span className="hint">{hint}</span>}
      <input
        id={id}
        type="file"
        className="unseen"
        multiple={isMultiple}
        onChange={(event) => {
          take(event.target.files);
          // Without this, choosing the same file again would cause no event.
          event.target.value = '';
        }}
      />
    </label>
  );
}
