import type { Publication } from '@colophon/model';

const MAX_LINKS = 5;

/** Each word of `title` must begin a word in the title of the publication. Ignores case and accents. */
export function findLinks(publications: readonly Publication[], title: string): Publication[] {
  const beginnings = wordsOf(title);
  if (beginnings.length === 0) return [];
  const matches = ({ title: shown }: Publication) => {
    const words = wordsOf(shown ?? '');
    return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
  };
  return publications.filter(matches).slice(0, MAX_LINKS);
}

function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[\s\p{P}\p{S}]+/u).filter(Boolean);
}
