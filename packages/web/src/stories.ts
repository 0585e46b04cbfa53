import { lazyPart } from './shell/lazy-part.js';
import { defineStory, type Story } from './shell/story.js';
import { check } from './strings/check.js';
import { explore } from './strings/explore.js';
import { library } from './strings/library.js';
import { manage } from './strings/manage.js';
import { published } from './strings/public.js';
import { publish } from './strings/publish.js';
import { record } from './strings/record.js';
import { shares } from './strings/shares.js';

export const RenewSession = lazyPart(async () => (await import('./manage/sign-in.js')).SignInWays);

/** The page shows the first story that matches the address. */
export const stories: readonly Story[] = [
  defineStory({
    path: '/',
    title: () => library.title,
    inNavigation: true,
    forProject: true,
    load: async () => (await import('./library/library-page.js')).LibraryPage,
  }),
  defineStory({
    path: '/',
    title: () => check.title,
    load: async () => (await import('./check/check-page.js')).CheckPage,
  }),
  defineStory({
    path: '/check',
    title: () => check.title,
    titleInMenu: () => check.titleInMenu,
    inNavigation: true,
    load: async () => (await import('./check/check-page.js')).CheckPage,
  }),
  defineStory({
    path: '/record',
    title: () => record.title,
    titleInMenu: () => record.titleInMenu,
    inNavigation: true,
    needsKey: true,
    load: async () => (await import('./record/record-page.js')).RecordPage,
  }),
  defineStory({
    path: '/explore',
    title: () => explore.title,
    inNavigation: true,
    needsKey: true,
    load: async () => (await import('./explore/explore-start.js')).ExploreStart,
  }),
  defineStory({
    path: '/explore/:cid',
    title: () => explore.title,
    needsKey: true,
    load: async () => (await import('./explore/explore-page.js')).ExplorePage,
  }),
  defineStory({
    path: '/shares',
    title: () => shares.title,
    titleInMenu: () => shares.titleInMenu,
    inNavigation: true,
    needsKey: true,
    load: async () => (await import('./shares/shares-start.js')).SharesStart,
  }),
  defineStory({
    path: '/shares/:cid',
    title: () => shares.title,
    needsKey: true,
    load: async () => (await import('./shares/shares-page.js')).SharesPage,
  }),
  defineStory({
    path: '/p/:id',
    title: () => published.title,
    load: async () => (await import('./public/public-page.js')).PublicPage,
  }),
  defineStory({
    path: '/links',
    title: () => publish.allTitle,
    titleInMenu: () => publish.allInMenu,
    inNavigation: true,
    needsKey: true,
    load: async () => (await import('./publishing/links-page.js')).LinksPage,
  }),
  defineStory({
    path: '/manage',
    title: () => manage.title,
    inNavigation: true,
    load: async () => (await import('./manage/home-page.js')).HomePage,
  }),
  defineStory({
    path: '/manage/join',
    title: () => manage.join.title,
    load: async () => (await import('./manage/join-page.js')).JoinPage,
  }),
  defineStory({
    path: '/manage/orgs/:slug',
    title: () => manage.title,
    load: async () => (await import('./manage/org-page.js')).OrgPage,
  }),
  defineStory({
    path: '/manage/projects/:id',
    title: () => manage.title,
    load: async () => (await import('./manage/project-page.js')).ProjectPage,
  }),
];
