import type { OwnAiLevel, ResourceType } from '@colophon/model';
import type { ResourceQuery } from '@colophon/sdk';

/** An empty text means no filter. */
export interface LibraryFilters {
  title: string;
  maker: string;
  tool: string;
  ai: OwnAiLevel | '';
  type: ResourceType | '';
  /** First and last day, such as `2026-08-02`, in the time zone of the reader. */
  from: string;
  to: string;
}

export const AI_FILTERS: readonly OwnAiLevel[] = ['generated', 'assisted', 'human', 'unstated'];

export const NO_FILTERS: LibraryFilters = {
  title: '',
  maker: '',
  tool: '',
  ai: '',
  type: '',
  from: '',
  to: '',
};

/** Limit of the service. */
export const MAX_WORDS = 5;
/** Limit of the service. */
export const MAX_CHARACTERS = 200;

/** Ignores unknown members and values that cannot be valid. */
export function parseFilters(query: string): LibraryFilters {
  const given = new URLSearchParams(query);
  const text = (name: string) => given.get(name)?.trim() ?? '';
  return {
    title: text('title'),
    // Links of earlier versions name the maker `creator`.
    maker: text('maker') || text('creator'),
    tool: text('tool'),
    ai: AI_FILTERS.find((level) => level === text('ai')) ?? '',
    type: text('type'),
    from: toDay(text('from')),
    to: toDay(text('to')),
  };
}

function toDay(text: string): string {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';
}

/** Returns, for example, `?type=image`. The result is empty without filters. */
export function toAddressQuery(filters: LibraryFilters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** Days are in the time zone of the reader. */
export function toResourceQuery({ title, from, to, ...same }: LibraryFilters): ResourceQuery {
  const words = wordsOf(title);
  return {
    ...Object.fromEntries(Object.entries(same).filter(([, value]) => value !== '')),
    ...(words.length === 0 ? {} : { title: words.slice(0, MAX_WORDS).join(' ') }),
    ...(from === '' ? {} : { since: startOf(from, 0) }),
    ...(to === '' ? {} : { until: startOf(to, 1) }),
  };
}

/** Whether a search text has no letter and no digit, so that it matches no title. */
export function isWordless(text: string): boolean {
  return text.trim() !== '' && wordsOf(text).length === 0;
}

function wordsOf(text: string): string[] {
  return text.split(/[\s\p{P}\p{S}]+/u).filter(Boolean);
}

function startOf(day: string, daysLater: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}
