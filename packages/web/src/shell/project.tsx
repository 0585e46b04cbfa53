import { type Client, createClient, type PageClient } from '@colophon/sdk';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { createThumbnailLoader, ThumbnailContext } from '../ui/thumbnail-loader.js';
import { keepKey, readKey } from './kept-key.js';
import { type ChosenProject, keepProject, readProject } from './kept-project.js';
import { takeKeyOfLink } from './key-of-link.js';
import { useSession } from './session.js';

export interface Project {
  /** The stored key. */
  key: string | undefined;
  /** The client of the chosen project, or else of the stored key. Undefined without both. */
  client: Client | undefined;
  /** Stores a new key, and uses it in place of the chosen project. Undefined removes the stored key. */
  setKey: (key: string | undefined) => void;
  /** The project of the signed-in user that the page shows. Undefined when the page uses the key. */
  chosen: ChosenProject | undefined;
  /** Shows a project of the signed-in user. Undefined: uses the stored key. */
  choose: (project: ChosenProject | undefined) => void;
  /** Whether the page still reads the session or looks for a project, so that `client` can change without an action. */
  isLoading: boolean;
}

const ProjectContext = createContext<Project | undefined>(undefined);

export function ProjectProvider({ children }: { children: ReactNode }) {
  const { page, loaded } = useSession();
  const [key, setKey] = useState(readKey);
  const [chosen, setChosen] = useState(readProject);
  const { value: session, fault } = loaded;
  const isSignedIn = session?.signedIn === true;
  const hasLeft = session?.signedIn === false;
  const shown = hasLeft ? undefined : chosen;
  const isSearching = useFirstProject(
    { page, isWanted: isSignedIn && key === undefined && chosen === undefined },
    setChosen,
  );
  useEffect(() => {
    if (!hasLeft) return;
    keepProject(undefined);
    setChosen(undefined);
  }, [hasLeft]);
  useEffect(() => {
    const take = () => {
      const taken = takeKeyOfLink();
      if (taken === undefined) return;
      setChosen(undefined);
      setKey(taken);
    };
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  const client = useMemo(() => {
    if (shown !== undefined) return isSignedIn ? page.project(shown.id) : undefined;
    return key === undefined ? undefined : openClient(key);
  }, [page, isSignedIn, shown, key]);
  const isLoading = client === undefined && ((session === undefined && fault === undefined) || isSearching);
  const project = useMemo(
    (): Project => ({
      key,
      client,
      chosen: shown,
      isLoading,
      setKey: (next) => {
        keepKey(next);
        if (next !== undefined) setChosen(undefined);
        setKey(next);
      },
      choose: (next) => {
        keepProject(next);
        setChosen(next);
      },
    }),
    [key, client, shown, isLoading],
  );
  const thumbnails = useMemo(() => project.client && loaderOf(project.client), [project]);
  return (
    <ProjectContext value={project}>
      <ThumbnailContext value={thumbnails}>{children}</ThumbnailContext>
    </ProjectContext>
  );
}

/** Maximum number of organisations in which the page looks for a project. */
const MAX_ORGS = 10;

/** Chooses the first project of a user who has not chosen one. Returns whether the search runs. */
function useFirstProject(
  { page, isWanted }: { page: PageClient; isWanted: boolean },
  onFound: (project: ChosenProject) => void,
): boolean {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    setIsDone(false);
    if (!isWanted) return undefined;
    const ending = new AbortController();
    findFirstProject(page, ending.signal)
      .catch(() => undefined) // the user can still choose a project, and then sees the error
      .then((found) => {
        if (ending.signal.aborted) return;
        setIsDone(true);
        if (found === undefined) return;
        keepProject(found);
        onFound(found);
      });
    return () => ending.abort();
  }, [page, isWanted, onFound]);
  return isWanted && !isDone;
}

async function findFirstProject(
  { management }: PageClient,
  signal: AbortSignal,
): Promise<ChosenProject | undefined> {
  const orgs = await management.orgs.list({ signal });
  for (const { slug } of orgs.slice(0, MAX_ORGS)) {
    const [first] = await management.projects.list(slug, { signal });
    if (first !== undefined) return { id: first.id, name: first.name };
  }
  return undefined;
}

/** Creates a client of this service. Without a key it can read only public data. */
export function openClient(key?: string): Client {
  return createClient({ url: window.location.origin, apiKey: key });
}

function loaderOf({ resources }: Client) {
  return createThumbnailLoader((cid) => resources.thumbnail(cid, { maxRetries: 0 }));
}

export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (project === undefined) throw new Error('`useProject` needs a `ProjectProvider` around the component.');
  return project;
}

/** Returns the client of a story that needs a project. */
export function useClient(): Client {
  const { client } = useProject();
  if (client === undefined) throw new Error('This part of the page needs a project.');
  return client;
}
