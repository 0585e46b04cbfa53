import { defineStory, type Story } from './shell/story.js';
import { check } from './strings/check.js';

/** Everything that the page can do; the first that matches an address is shown. Each is loaded when it is asked for. */
export const stories: readonly Story[] = [
  defineStory({
    path: '/',
    title: check.title,
    inNavigation: true,
    load: async () => (await import('./check/check-page.js')).CheckPage,
  }),
];
