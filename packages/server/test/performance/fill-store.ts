import { createHash } from 'node:crypto';
import { parseContentId } from '@colophon/model';
import { runSql } from '../support/postgres-databases.js';

/** The input of every unrelated action, if all share one input. */
export const POPULAR = cidOf('what everybody used');

export function cidOf(text: string): string {
  return String(parseContentId(`sha256:${createHash('sha256').update(text).digest('hex')}`));
}

const CID = (number: string) =>
  `'bafkrei' || md5((${number})::text) || substr(md5((${number})::text || 'x'), 1, 20)`;
const ID = `overlay(md5('action' || n) placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid`;
/** One for all, or the outputs of the two actions before. */
const INPUTS = {
  'one popular input': `array['${POPULAR}']`,
  'diverse inputs': `array[${CID('(n - 2)')}, ${CID('(n - 1)')}]`,
};
export type Inputs = keyof typeof INPUTS;

/** The added rows are not in the log, so their leaf indexes are far beyond its end. */
const LEAF = '1000000000 + n';

const SAMPLE = `sample as (select * from provenance.action order by recorded_at desc limit 1)`;
const EACH = 'sample, generate_series(1, $count) n';

const STATEMENTS = [
  `with ${SAMPLE} insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs,
       body, digest, salts, fingerprint, recorded_at, leaf_index)
     select project_id, ${ID}, type, performed_by, 'session ' || n / 50, $inputs, array[${CID('n')}],
       body, digest, salts, fingerprint, recorded_at - n * interval '1 second', ${LEAF}
     from ${EACH}`,
  `with ${SAMPLE} insert into provenance.action_input (project_id, cid, action_id)
     select project_id, cid, ${ID} from ${EACH}, unnest($inputs) cid`,
  `with ${SAMPLE} insert into provenance.action_output (project_id, cid, action_id)
     select project_id, ${CID('n')}, ${ID} from ${EACH}`,
  `with ${SAMPLE} insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
     select project_id, ${CID('n')}, 'image', performed_by, ${ID}, recorded_at - n * interval '1 second' from ${EACH}`,
  `with ${SAMPLE}, sample_attribution as (
       select t.* from provenance.attribution t join sample s on t.action_id = s.id)
     insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
       created_at, leaf_index)
     select project_id, md5('attribution' || n)::uuid, entity_id, ${ID}, ${CID('n')}, role, body, digest, salts,
       created_at - n * interval '1 second', ${LEAF}
     from sample_attribution, generate_series(1, $count) n`,
  'vacuum analyze',
];

export async function addUnrelated(
  url: string,
  { count, inputs }: { count: number; inputs: Inputs },
): Promise<void> {
  for (const statement of STATEMENTS)
    await runSql(url, statement.replaceAll('$count', String(count)).replaceAll('$inputs', INPUTS[inputs]));
}
