import { type RefObject, Suspense, useEffect, useRef } from 'react';
import { useLanguage } from '../languages/use-language.js';
import { shell } from '../strings/shell.js';
import { Notice } from '../ui/notice.js';
import { Footer, Header } from './frame.js';
import { KeptFilesProvider } from './kept-files.js';
import { matchPath } from './match-path.js';
import { Link, usePath } from './navigation.js';
import { NeedsProject } from './needs-project.js';
import { OfferedKey } from './offered-key.js';
import { ProjectProvider, useProject } from './project.js';
import { SessionProvider } from './session.js';
import { type RenewSession, SessionEnded } from './session-ended.js';
import { StopFault } from './stop-fault.js';
import type { Story } from './story.js';
import { UnsavedProvider } from './unsaved.js';

export function App({ stories, RenewSession }: { stories: readonly Story[]; RenewSession: RenewSession }) {
  useLanguage();
  return (
    <SessionProvider>
      <ProjectProvider>
        <a className="skip" href="#content">
          {shell.skip}
        </a>
        <UnsavedProvider>
          <Frame stories={stories} />
        </UnsavedProvider>
        <Footer />
        <OfferedKey />
        <SessionEnded Renew={RenewSession} />
      </ProjectProvider>
    </SessionProvider>
  );
}

function Frame({ stories }: { stories: readonly Story[] }) {
  const path = usePath();
  const { client } = useProject();
  const shown = client === undefined ? stories.filter(({ forProject }) => !forProject) : stories;
  return (
    <>
      <Header stories={shown} path={path} />
      <KeptFilesProvider>
        <Content stories={shown} path={path} />
      </KeptFilesProvider>
    </>
  );
}

function Content({ stories, path }: { stories: readonly Story[]; path: string }) {
  const place = useRef<HTMLElement>(null);
  const found = findStory(stories, path);
  const title = found?.story.title() ?? shell.notFound;
  const { chosen, key } = useProject();
  // React mounts the view again after a change of the project, so no view shows data of two projects.
  const isOfProject = found?.story.needsKey || found?.story.forProject;
  const owner = isOfProject ? (chosen?.id ?? key) : undefined;
  useStoryTitle(title, place);
  return (
    <main id="content" tabIndex={-1} ref={place}>
      <StopFault key={`${path} ${owner}`}>
        <Suspense fallback={<p className="quiet">{shell.loading}</p>}>
          {found === undefined ? <NotFound /> : <Shown {...found} />}
        </Suspense>
      </StopFault>
    </main>
  );
}

/** Sets the title of the tab, and moves the focus to new content. */
function useStoryTitle(title: string, place: RefObject<HTMLElement | null>): void {
  const { code: language } = useLanguage();
  const before = useRef<{ language: string; tabTitle: string }>(undefined);
  useEffect(() => {
    const tabTitle = `${title} · ${shell.name}`;
    const isTranslation = before.current !== undefined && before.current.language !== language;
    // After a change of the language, keep a tab title that a view has set.
    if (!isTranslation || document.title === before.current?.tabTitle) document.title = tabTitle;
    // Helps people who use a keyboard or a screen reader.
    if (before.current !== undefined && !isTranslation) place.current?.focus();
    before.current = { language, tabTitle };
  }, [title, language, place]);
}

function findStory(stories: readonly Story[], path: string) {
  for (const story of stories) {
    const values = matchPath(story.path, path);
    if (values !== undefined) return { story, values };
  }
  return undefined;
}

function Shown({ story, values }: NonNullable<ReturnType<typeof findStory>>) {
  const { client } = useProject();
  if (story.needsKey && client === undefined) return <NeedsProject />;
  return <story.Page values={values} />;
}

function NotFound() {
  return (
    <Notice kind="warning" title={shell.notFound}>
      <Link to="/">{shell.toStart}</Link>
    </Notice>
  );
}
