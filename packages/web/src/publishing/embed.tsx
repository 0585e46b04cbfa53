import {
  describeLabel,
  escapeMarkup,
  type OverlayWords,
  overlaySnippet,
  type PublishedFacts,
} from '@colophon/model';
import { LANGUAGES } from '../languages/language.js';
import { languageInUse } from '../languages/texts.js';
import { LocalNote } from '../shell/local-note.js';
import { aiLevels } from '../strings/ai-levels.js';
import { published } from '../strings/public.js';
import { AI_ICONS } from '../ui/ai-icons.js';
import { CopyText } from '../ui/copy-text.js';

const SRC = 'picture.jpg';

function siteCode(id: string, label: string | undefined): string {
  const script = `<script src="${window.location.origin}/app/badge.js" async></script>`;
  return `${script}\n${label ?? `<img src="${SRC}" alt="${escapeMarkup(published.embedAlt)}" data-colophon="${id}" style="display:block;max-width:100%">`}`;
}

/** Returns undefined for English, because the model has the English words. */
function wordsOf(ai: PublishedFacts['ai']): OverlayWords | undefined {
  const { code } = languageInUse();
  if (code === LANGUAGES[0].code) return undefined;
  return { language: code, notice: `${aiLevels[ai]}.`, link: published.embedLink };
}

/** Without the facts of a picture, the HTML has only the badge. */
export function SiteCode({ id, facts }: { id: string; facts: PublishedFacts | undefined }) {
  const href = `${window.location.origin}/app/p/${id}`;
  const label =
    facts?.type === 'image'
      ? overlaySnippet({
          ...{ ai: facts.ai, src: SRC, alt: published.embedAlt, href, publication: id },
          words: wordsOf(facts.ai),
        })
      : undefined;
  return (
    <>
      <p>{published.embedHow(SRC)}</p>
      <CopyText text={siteCode(id, label)} label={published.embedLabelName} />
      <LocalNote />
      {facts === undefined || label === undefined ? null : <IconOfLevel ai={facts.ai} />}
      <p>
        {label === undefined ? null : `${published.embedLabel} `}
        {published.embedBadge}
      </p>
    </>
  );
}

function IconOfLevel({ ai }: Pick<PublishedFacts, 'ai'>) {
  const icon = AI_ICONS[ai];
  if (icon === undefined) return null;
  return <p>{published.embedIcon(aiLevels[ai], describeLabel(icon).text)}</p>;
}

export function Embed({ id, facts }: { id: string; facts: PublishedFacts }) {
  return (
    <details className="card">
      <summary>{published.embed}</summary>
      <SiteCode id={id} facts={facts} />
    </details>
  );
}
