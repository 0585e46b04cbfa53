/** A page of a list, and where the next one begins; null at the end. */
interface Page {
  nextCursor: string | null;
}

/** What lists take: most records on a page (1 to 200, default 50), and `nextCursor` of the page before. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** The records of all pages, the next page being asked for when it is reached. */
export async function* eachOf<One extends Page, Item>(
  query: PageQuery,
  read: (query: PageQuery) => Promise<One>,
  itemsOf: (page: One) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  for (let cursor: string | null | undefined = query.cursor; cursor !== null; ) {
    const page: One = await read(cursor === undefined ? query : { ...query, cursor });
    yield* itemsOf(page);
    cursor = page.nextCursor;
  }
}
