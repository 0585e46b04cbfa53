import pg from 'pg';

interface PlanClient {
  query(text: string): Promise<{ rows: Record<string, [{ Plan: Record<string, number> }]>[] }>;
}

/** Counts the blocks that each statement reads with its generic plan. */
export function countBlocksOf(client: PlanClient, counts: number[]) {
  return {
    async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
      await client.query(`prepare counted as ${text}`);
      const values = parameters.map(toLiteral);
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute counted${values.length === 0 ? '' : `(${values})`}`,
      );
      await client.query('deallocate counted');
      const plan = rows[0]?.['QUERY PLAN']?.[0].Plan ?? {};
      counts.push((plan['Shared Hit Blocks'] ?? Number.NaN) + (plan['Shared Read Blocks'] ?? Number.NaN));
      return [];
    },
  };
}

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/** Counts the rows that each statement reads from one table. */
export function countRowsOf(client: pg.Client, table: string, counts: number[]) {
  const count = (plan: Plan): number => {
    const read = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    const below = (plan.Plans ?? []).reduce((sum, one) => sum + count(one), 0);
    return below + (plan['Relation Name'] === table ? read : 0);
  };
  return {
    async query<Row>(text: string, parameters: readonly unknown[] = []): Promise<Row[]> {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...parameters]);
      counts.push(count(rows[0]['QUERY PLAN'][0].Plan));
      return [];
    },
  };
}

function toLiteral(value: unknown): string {
  if (value === null) return 'null';
  const text = Array.isArray(value) ? `{${value.map((one) => one ?? 'null').join()}}` : String(value);
  return pg.escapeLiteral(text);
}
