import { shorten } from '../history/shorten.js';

/** A click on the beginning of a text shows the complete text. */
export function LongTexts({ name, all }: { name: string; all: readonly string[] }) {
  if (all.length === 0) return null;
  return (
    <div>
      <dt>{name}</dt>
      {all.map((text) => (
        <dd key={text} className="long-text">
          <Foldable text={text} />
        </dd>
      ))}
    </div>
  );
}

function Foldable({ text }: { text: string }) {
  const short = shorten(text);
  if (short === text) return text;
  return (
    <details>
      <summary>{short}</summary>
      <p>{text}</p>
    </details>
  );
}
