/** `nextCursor`: null on the last page. */
interface Page {
  nextCursor: string | null;
}

/** Options of lists: maximum number of records (1 to 200, default 50), and `nextCursor` of the previous page. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** Requests each page when the iteration reaches it. */
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
