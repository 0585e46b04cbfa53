import { overlaySnippet, type PublishedFacts } from '@colophon/model';
import { published } from '../strings/public.js';
import { CopyText } from '../ui/copy-text.js';

/** Returns the HTML that a site adds to its page for the badge. */
export function badgeCode(id: string): string {
  const script = `${window.location.origin}/app/badge.js`;
  return `<script src="${script}" async></script>\n<img src="…" alt="…" data-colophon="${id}">`;
}

export function Embed({ id, facts: { ai, type } }: { id: string; facts: PublishedFacts }) {
  const href = `${window.location.origin}/app/p/${id}`;
  const label = type === 'image' ? overlaySnippet({ ai, src: 'picture.jpg', alt: '…', href }) : undefined;
  return (
    <details className="card">
      <summary>{published.embed}</summary>
      <p>{published.embedHow}</p>
      <CopyText text={badgeCode(id)} label={published.embed} />
      {label === undefined ? null : (
        <>
          <p>{published.embedLabel}</p>
          <CopyText text={label} label={published.embedLabelName} />
        </>
      )}
    </details>
  );
}
