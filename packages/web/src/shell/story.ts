import type { ComponentType } from 'react';
import { lazyPart } from './lazy-part.js';
import type { PathValues } from './match-path.js';

export interface StoryProps {
  values: PathValues;
}

/** A part of the page for one task of the user. */
export interface Story {
  /** The path below `/app`. A segment `:name` matches any value. */
  path: string;
  /** The title of the browser tab. Without `titleInMenu`, it is the title in the navigation too. */
  title: () => string;
  titleInMenu?: () => string;
  /** The path of such a story has no `:name`. */
  inNavigation: boolean;
  needsKey: boolean;
  /** Users without a project see the next story with this path. */
  forProject: boolean;
  Page: ComponentType<StoryProps>;
}

/** The code of the story loads at its first use. */
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
