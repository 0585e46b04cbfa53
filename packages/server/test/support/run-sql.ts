import pg from 'pg';

export async function runSql(url: string, text: string, parameters: unknown[] = []) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  // A connection that breaks during a query makes the query fail. Between queries it does not matter.
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text, parameters)).rows;
  } finally {
    await client.end();
  }
}
