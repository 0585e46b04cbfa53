import './thumbnail.css';

const KINDS = ['image', 'audio', 'video', 'text'] as const;
const SYMBOLS = { image: '🖼', audio: '♫', video: '▶', text: '¶', other: '◻' } as const;

/** A symbol for the kind of a content. */
export function Thumbnail({ cid, title, mimeType }: { cid: string; title: string; mimeType?: string }) {
  const kind = KINDS.find((one) => mimeType?.startsWith(`${one}/`)) ?? 'other';
  return (
    <span className="thumbnail" role="img" aria-label={title} data-cid={cid}>
      {SYMBOLS[kind]}
    </span>
  );
}
