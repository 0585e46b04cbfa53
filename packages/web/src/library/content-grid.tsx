import type { Publication } from '@colophon/model';
import { type ReactNode, useMemo, useRef } from 'react';
import { changeQuery, Link, useQuery } from '../shell/navigation.js';
import { useClient } from '../shell/project.js';
import { usePeople } from '../shell/use-people.js';
import { library } from '../strings/library.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { ContentCard } from './content-card.js';
import { FilterBar } from './filter-bar.js';
import { isWordless, type LibraryFilters, parseFilters, toAddressQuery, toResourceQuery } from './filters.js';
import { findLinks } from './find-links.js';
import { type Contents, useContents } from './use-contents.js';
import './library.css';

const NO_PUBLICATIONS: readonly Publication[] = [];

/** The query of the address contains the search and the filters. `of`: the view to which each card links. */
export function ContentGrid({
  of,
  publications = NO_PUBLICATIONS,
}: {
  of: 'explore' | 'shares';
  publications?: readonly Publication[] | undefined;
}) {
  const client = useClient();
  const query = useQuery();
  const filters = useMemo(() => parseFilters(query), [query]);
  const found = useContents(
    client,
    useMemo(() => toResourceQuery(filters), [filters]),
  );
  const people = usePeople(client);
  const tools = useTools(found);
  const published = useMemo(() => new Set(publications.map(({ cid }) => cid)), [publications]);
  const links = useMemo(() => findLinks(publications, filters.title), [publications, filters.title]);
  const change = (part: Partial<LibraryFilters>) => {
    const next = toAddressQuery({ ...filters, ...part });
    // While the user types, one entry of the browser's history is enough.
    const isTyping = part.title !== undefined && part.ai === undefined && filters.title !== '';
    if (next !== toAddressQuery(filters)) changeQuery(next, { isNewEntry: !isTyping });
  };
  return (
    <section className="library-grid" aria-label={library.grid}>
      <FilterBar filters={filters} people={people} tools={tools} onChange={change} />
      <p className="hint">{library.aiScope}</p>
      {found.fault === undefined ? null : <Notice kind="danger">{found.fault}</Notice>}
      <Status found={found} hasFilters={toAddressQuery(filters) !== ''} />
      {isWordless(filters.title) ? <Notice kind="info">{library.wordless}</Notice> : null}
      {filters.maker !== '' && isWithoutMatch(found) ? <p className="hint">{library.makerScope}</p> : null}
      {filters.title !== '' && isWithoutMatch(found) ? <NoTitle of={of} links={links} /> : null}
      <ul className="content-cards">
        {found.contents.map((content) => (
          <ContentCard key={content.cid} content={content} of={of} isPublished={published.has(content.cid)} />
        ))}
      </ul>
      <More found={found} />
    </section>
  );
}

/** Returns the tools of all contents that were loaded so far. */
function useTools({ contents }: Contents): readonly string[] {
  const known = useRef(new Set<string>());
  for (const { tool } of contents) if (tool !== undefined) known.current.add(tool);
  return [...known.current].sort();
}

function Status({ found, hasFilters }: { found: Contents; hasFilters: boolean }) {
  const { contents, next, isLoading, fault } = found;
  const isEmpty = contents.length === 0 && next === null;
  const text = (): ReactNode => {
    if (isLoading) return library.loading;
    if (fault !== undefined) return null;
    if (contents.length > 0) return library.shown(contents.length, next !== null);
    return next === null ? library.noneMatch : library.searching;
  };
  return (
    <>
      <p role="status" className="quiet">
        {isEmpty && !hasFilters && !isLoading ? null : text()}
      </p>
      {isEmpty && !hasFilters && !isLoading ? <Begin /> : null}
    </>
  );
}

function isWithoutMatch({ contents, next, isLoading, fault }: Contents): boolean {
  return contents.length === 0 && next === null && !isLoading && fault === undefined;
}

/** Shown when no content matches the search. */
function NoTitle({ of, links }: { of: 'explore' | 'shares'; links: readonly Publication[] }) {
  return (
    <>
      <p className="hint">{library.searchScope}</p>
      {links.length === 0 ? null : (
        <>
          <p>{library.linksFound}:</p>
          <ul className="bare">
            {links.map(({ id, cid, title }) => (
              <li key={id}>
                <Link to={`/${of}/${cid}`}>{title}</Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Begin() {
  return (
    <Notice kind="info" title={library.emptyTitle}>
      <p>{library.emptyHow}</p>
      <p className="row">
        <Link className="button primary" to="/record">
          {library.record}
        </Link>
        <Link className="button" to="/check">
          {library.check}
        </Link>
      </p>
    </Notice>
  );
}

function More({ found: { contents, next, isLoading, loadMore } }: { found: Contents }) {
  if (typeof next !== 'string') return null;
  return (
    <div className="row">
      <Button onClick={loadMore} disabled={isLoading}>
        {contents.length === 0 ? library.searchOn : library.more}
      </Button>
    </div>
  );
}
