import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { insertMessages, noteAttempt } from '../../src/webhooks/deliveries.sql.js';
import { openOn } from '../support/open-on.js';

describe.each(['PGlite in memory', 'PostgreSQL'])('the bodies of events, on %s', (engine) => {
  it('only the end of the last delivery of an event changes the indexes of its body', async () => {
    const { provenance, close } = await openOn(engine);
    const projectId = uuidv7();
    const body = '"'.padEnd(50_000, 'x');
    const messages = Array.from({ length: 5 }, () => ({
      ...{ id: uuidv7(), webhookId: uuidv7(), event: 'action.recorded' },
      body,
    }));
    await insertMessages(provenance, projectId, messages);
    const counts = await provenance.transaction(async (tx) => {
      for (const { id } of messages)
        await noteAttempt(tx, { projectId, id }, { attempts: 1, state: 'delivered' });
      return tx.query(
        `select n_tup_upd::int as updates, n_tup_hot_upd::int as hot from pg_stat_xact_user_tables
         where relid = 'provenance.webhook_body'::regclass`,
      );
    });
    expect(counts).toEqual([{ updates: 5, hot: 4 }]);
    await close();
  });
});
