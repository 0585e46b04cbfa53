import { type Client, createClient } from '@colophon/sdk';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { createThumbnailLoader, ThumbnailContext } from '../ui/thumbnail-loader.js';
import { keepKey, readKey } from './kept-key.js';

export interface Project {
  key: string | undefined;
  /** Undefined without a key. */
  client: Client | undefined;
  /** Stores a new key. Undefined removes the stored key. */
  setKey: (key: string | undefined) => void;
}

const ProjectContext = createContext<Project | undefined>(undefined);

export function ProjectProvider({ children }: { children: ReactNode }) {
  const [key, setKey] = useState(readKey);
  const project = useMemo(
    (): Project => ({
      key,
      client: key === undefined ? undefined : openClient(key),
      setKey: (next) => {
        keepKey(next);
        setKey(next);
      },
    }),
    [key],
  );
  const thumbnails = useMemo(() => project.client && loaderOf(project.client), [project]);
  return (
    <ProjectContext value={project}>
      <ThumbnailContext value={thumbnails}>{children}</ThumbnailContext>
    </ProjectContext>
  );
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

/** Returns the client of a story that needs a key. */
export function useClient(): Client {
  const { client } = useProject();
  if (client === undefined) throw new Error('This part of the page needs a project key.');
  return client;
}
