import { type ComponentType, lazy } from 'react';
import type { PathValues } from './match-path.js';

/** What a story is shown with: the values of its address. */
export interface StoryProps {
  values: PathValues;
}

/** One thing that people do on the page. */
export interface Story {
  /** Below `/app`; a segment `:name` takes any value. */
  path: string;
  /** Of the browser's tab, and in the navigation. */
  title: string;
  /** Whether the navigation leads here; its path then has no values. */
  inNavigation: boolean;
  /** Whether nothing can be done here without the key of a project. */
  needsKey: boolean;
  Page: ComponentType<StoryProps>;
}

/** A story whose code is loaded when it is first shown. */
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
