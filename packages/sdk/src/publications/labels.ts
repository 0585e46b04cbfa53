import type { AiLabel, LabelIcon, LabelKind, LabelLanguage } from '@colophon/model';
import { path } from '../transport/address.js';
import type { CallOptions } from '../transport/call-options.js';
import type { Transport } from '../transport/transport.js';

/** The texts of a label in one language. */
export interface LabelTexts {
  icon: string;
  about: string;
  notice: Record<LabelKind, string>;
  spoken: Record<'video' | 'sound', string>;
  /** Path of the icon at the service. */
  path: string;
}

/** The table of labels. `texts` is null for a level that needs no label. */
export interface LabelTable {
  language: LabelLanguage;
  labels: (AiLabel & { texts: LabelTexts | null })[];
}

/** Options of a label. */
export type LabelOptions = CallOptions & { language?: LabelLanguage };

/**
 * Labels that a publisher shows next to AI content. The calls need no key. `labelSnippet` (`@colophon/model`) returns a
 * label as HTML.
 */
export interface Labels {
  /**
   * Returns the table of disclosures, levels of AI, icons and texts. The level `human` has the disclosure null. The
   * level `unstated` has no disclosure, because nothing is recorded.
   *
   * @example
   * const { labels } = await colophon.labels.list();
   * labels.map(({ level }) => level); // => ['generated', 'assisted', 'involved', 'human', 'unstated']
   * labels.map(({ texts }) => texts?.icon); // => ['AI GENERATED', 'AI MODIFIED', 'AI', undefined, undefined]
   */
  list(options?: LabelOptions): Promise<LabelTable>;
  /**
   * Returns an icon as SVG.
   *
   * @example
   * (await colophon.labels.icon('ai-modified')).startsWith('<svg '); // => true
   */
  icon(icon: LabelIcon, options?: LabelOptions): Promise<string>;
}

export function createLabels({ ask, open }: Transport): Labels {
  return {
    list: ({ language, ...options } = {}) =>
      ask({ method: 'GET', path: '/public/labels', query: { language } }, options),
    icon: async (icon, { language, ...options } = {}) => {
      const address = path`/public/labels/${icon}.svg`;
      return (await open({ method: 'GET', path: address, query: { language } }, options)).text();
    },
  };
}
