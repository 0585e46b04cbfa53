import type { ComponentType } from 'react';
import { lazyPart } from './lazy-part.js';
import type { PathValues } from './match-path.js';

export interface StoryProps {
  values: PathValues;
}

/** A part of the page for one task of the user. */
export interface Story {
  /** Path below `/app`. A segment `:name` matches any value. */
  path: string;
  /** Returns the title for the browser tab and, if `titleInMenu` is undefined, for the navigation. */
  title: () => string;
  /** A shorter title for the navigation. */
  titleInMenu?: () => string;
  /** Whether the navigation has a link to the story. The path of such a story has no `:name`. */
  inNavigation: boolean;
  needsKey: boolean;
  /** Whether the story is only for users with a project. Other users see the next story with this path. */
  forProject: boolean;
  Page: ComponentType<StoryProps>;
}

/** Creates a story whose code loads at its first use. */
export function defineStory({
  load,
  inNavigation = false,
  needsKey = false,
  forProject = false,
  ...story
}: Pick<Story, 'path' | 'title'> &
  Partial<Pick<Story, 'titleInMenu' | 'inNavigation' | 'needsKey' | 'forProject'>> & {
    load: () => Promise<ComponentType<StoryProps>>;
  }): Story {
  return { ...story, inNavigation, needsKey, forProject, Page: lazyPart(load) };
}
