/** A page of a list, and the cursor of the next one; null at the end. */
interface Page {
  nextCursor: string | null;
}

/** Options of lists: most records on a page (1 to 200, default 50), and `nextCursor` of the previous page. */
export interface PageQuery {
  limit?: number;
  cursor?: string;
}

/** The records of all pages. Each page is requested when the iteration reaches it. */
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
