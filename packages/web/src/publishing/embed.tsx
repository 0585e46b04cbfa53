import { published } from '../strings/public.js';
import { CopyText } from '../ui/copy-text.js';

/** What a site puts into its page for the badge. */
export function badgeCode(id: string): string {
  const script = `${window.location.origin}/app/badge.js`;
  return `<script src="${script}" async></script>\n<img src="…" alt="…" data-colophon="${id}">`;
}

/** How a site shows the history beside the picture. */
export function Embed({ id }: { id: string }) {
  return (
    <details className="card">
      <summary>{published.embed}</summary>
      <p>{published.embedHow}</p>
      <CopyText text={badgeCode(id)} label={published.embed} />
    </details>
  );
}
