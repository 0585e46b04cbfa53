import { type ComponentType, lazy } from 'react';
import type { PathValues } from './match-path.js';

/** The properties of a story: the values of its address. */
export interface StoryProps {
  values: PathValues;
}

/** One task that people do on the page. */
export interface Story {
  /** The path below `/app`; a segment `:name` matches any value. */
  path: string;
  /** The title of the browser tab and of the navigation entry. */
  title: string;
  /** Whether the navigation links to the story; its path then has no values. */
  inNavigation: boolean;
  /** Whether the story requires a project key. */
  needsKey: boolean;
  Page: ComponentType<StoryProps>;
}

/** Defines a story whose code loads on first use. */
export function defineStory({
  load,
  inNavigation = false,
  needsKey = false,
  ...story
}: Pick<Story, 'path' | 'title'> &
  Partial<Pick<Story, 'inNavigation' | 'needsKey'>> & {
    load: () => Promise<ComponentType<StoryProps>>;
  }): Story {
  const Page = lazy(async () => ({ default: await load() }));
  return { ...story, inNavigation, needsKey, Page };
}
