import { type Client, createClient, type PageClient } from '@colophon/sdk';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { createThumbnailLoader, ThumbnailContext } from '../ui/thumbnail-loader.js';
import { ABSENT_AS_NO_CONTENT } from './absent-content.js';
import { findUsualProject } from './find-usual-project.js';
import { keepKey, readKey } from './kept-key.js';
import {
  type ChosenProject,
  type KeptProject,
  keepProject,
  readLastProject,
  readProject,
} from './kept-project.js';
import {
  dropKeyOfLink,
  dropUnaskedKey,
  isUnaskedKey,
  keepUnaskedKey,
  offerUnaskedKey,
  takeKeyOfLink,
} from './key-of-link.js';
import { useSession } from './session.js';

export interface Project {
  key: string | undefined;
  /** The client of the chosen project. Without a chosen project, the client of the stored key. */
  client: Client | undefined;
  /** Replaces the chosen project. Undefined removes the key. */
  setKey: (key: string | undefined) => void;
  /** Undefined when the page uses the key. */
  chosen: ChosenProject | undefined;
  /** Undefined: uses the stored key. */
  choose: (project: ChosenProject | undefined) => void;
  /** The key of an opened link, about which the page asks the user. */
  offered: string | undefined;
  answerOffer: (isAccepted: boolean) => void;
  /** The page can still set `client` by itself. */
  isLoading: boolean;
}

const ProjectContext = createContext<Project | undefined>(undefined);

export function ProjectProvider({ children }: { children: ReactNode }) {
  const { page, loaded, renewals } = useSession();
  const [key, setKey] = useState(readKey);
  const { value: session, fault } = loaded;
  const userId = session?.signedIn ? session.user.id : undefined;
  const isKnown = session !== undefined || fault !== undefined;
  // If the page could not read the session, somebody may be signed in.
  const isAsked = session?.signedIn !== false;
  const [chosen, setChosen] = useChoice(userId, session?.signedIn === false);
  const takeKey = useCallback(
    (next: string | undefined) => {
      dropUnaskedKey();
      keepKey(next);
      if (next !== undefined) setChosen(undefined);
      setKey(next);
    },
    [setChosen],
  );
  const [offered, answerOffer] = useKeyOfLink(
    { isKnown, isAsked, isSignedIn: userId !== undefined, inUse: chosen === undefined ? key : undefined },
    takeKey,
  );
  const isSearching = useUsualProject(
    { page, userId: key === undefined && chosen === undefined ? userId : undefined },
    setChosen,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a new sign-in, each view reads its data again
  const client = useMemo(() => {
    if (chosen !== undefined) return userId === undefined ? undefined : page.project(chosen.id);
    return key === undefined ? undefined : openClient(key);
  }, [page, userId, chosen, key, renewals]);
  const takesKey = offered !== undefined && !isAsked;
  const isLoading = client === undefined && (!isKnown || isSearching || takesKey);
  const project = useMemo(
    (): Project => ({
      key,
      client,
      chosen,
      isLoading,
      offered: isKnown && isAsked ? offered : undefined,
      answerOffer,
      setKey: takeKey,
      choose: setChosen,
    }),
    [key, client, chosen, isLoading, isKnown, isAsked, offered, answerOffer, takeKey, setChosen],
  );
  const thumbnails = useMemo(() => project.client && loaderOf(project.client), [project]);
  return (
    <ProjectContext value={project}>
      <ThumbnailContext value={thumbnails}>{children}</ThumbnailContext>
    </ProjectContext>
  );
}

/** Drops the choice of another user, and any choice at a sign-out. */
function useChoice(
  userId: string | undefined,
  hasLeft: boolean,
): [ChosenProject | undefined, (project: ChosenProject | undefined) => void] {
  const [kept, setKept] = useState(readProject);
  const isForeign = hasLeft || (userId !== undefined && kept !== undefined && kept.userId !== userId);
  useEffect(() => {
    if (!isForeign) return;
    keepProject(undefined);
    setKept(undefined);
  }, [isForeign]);
  const choose = useCallback(
    (project: ChosenProject | undefined) => {
      const next: KeptProject | undefined =
        project === undefined || userId === undefined ? undefined : { ...project, userId };
      keepProject(next);
      setKept(next);
    },
    [userId],
  );
  return [isForeign ? undefined : kept, choose];
}

interface LinkReader {
  isKnown: boolean;
  isAsked: boolean;
  isSignedIn: boolean;
  inUse: string | undefined;
}

/**
 * Asks a signed-in user about the key of a link: somebody else may have sent it, so the user could record into a
 * foreign project. Without a user, takes the key, and asks after a sign-in.
 */
function useKeyOfLink(
  { isKnown, isAsked, isSignedIn, inUse }: LinkReader,
  takeKey: (key: string | undefined) => void,
): [string | undefined, (isAccepted: boolean) => void] {
  const [found, setFound] = useState<string>();
  useEffect(() => {
    const take = () => setFound((before) => takeKeyOfLink() ?? before);
    take();
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, []);
  const answer = useCallback(
    (isAccepted: boolean) => {
      dropKeyOfLink();
      if (isAccepted && found !== undefined) {
        takeKey(found);
        if (!isAsked) keepUnaskedKey(found);
      }
      setFound(undefined);
    },
    [found, isAsked, takeKey],
  );
  const needsNoAnswer =
    found !== undefined && isKnown && (!isAsked || (found === inUse && !isUnaskedKey(found)));
  useEffect(() => {
    if (needsNoAnswer) answer(true);
  }, [needsNoAnswer, answer]);
  useEffect(() => {
    if (!isSignedIn || inUse === undefined || !isUnaskedKey(inUse)) return;
    takeKey(undefined);
    offerUnaskedKey(inUse);
    setFound(inUse);
  }, [isSignedIn, inUse, takeKey]);
  return [found, answer];
}

/** Returns whether the search is still running. */
function useUsualProject(
  { page, userId }: { page: PageClient; userId: string | undefined },
  onFound: (project: ChosenProject | undefined) => void,
): boolean {
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    setIsDone(false);
    if (userId === undefined) return undefined;
    const ending = new AbortController();
    findUsualProject(page, { lastId: readLastProject(userId), signal: ending.signal })
      .catch(() => undefined) // the user can still choose a project, and then sees the error
      .then((found) => {
        if (ending.signal.aborted) return;
        setIsDone(true);
        if (found !== undefined) onFound(found);
      });
    return () => ending.abort();
  }, [page, userId, onFound]);
  return userId !== undefined && !isDone;
}

/** Without a key, the client can read only public data. */
export function openClient(key?: string): Client {
  return createClient({ url: window.location.origin, apiKey: key, headers: ABSENT_AS_NO_CONTENT });
}

function loaderOf({ resources }: Client) {
  return createThumbnailLoader((cid) => resources.thumbnail(cid, { maxRetries: 0 }));
}

export function useProject(): Project {
  const project = useContext(ProjectContext);
  if (project === undefined) throw new Error('`useProject` needs a `ProjectProvider` around the component.');
  return project;
}

/** Throws without a project. */
export function useClient(): Client {
  const { client } = useProject();
  if (client === undefined) throw new Error('This part of the page needs a project.');
  return client;
}
