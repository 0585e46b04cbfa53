import { namedProjectId } from '../../packages/server/dist/access/create-key.js';
import { withClient } from '../support/postgres.mjs';
import { PROJECT } from '../support/service.mjs';
import { POPULAR } from './contents.mjs';

const project = namedProjectId(PROJECT);
const SLICE = 100_000;

const CID = (number) => `'bafkrei' || md5((${number})::text) || substr(md5((${number})::text || 'x'), 1, 20)`;
const ID = `overlay(md5('action' || n) placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid`;
/** Nine of ten actions use the popular content. */
const INPUTS = `case when n % 10 = 0 then array[${CID('(n - 1)')}, ${CID('(n - 2)')}] else array['${POPULAR}'] end`;

/** The added records are not in the log, so their leaf indexes are far beyond its end. */
const LEAF = '1000000000 + n';
const EACH = 'sample, generate_series($first, $last) n';

/** Each copy of the newest action has its own id and other contents. */
const STATEMENTS = [
  `insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body, digest,
       salts, fingerprint, recorded_at, leaf_index)
     select project_id, ${ID}, type, performed_by, 'session ' || n / 50, ${INPUTS}, array[${CID('n')}],
       body, digest, salts, fingerprint, recorded_at - n * interval '1 second', ${LEAF}
     from ${EACH}`,
  `insert into provenance.action_input (project_id, cid, action_id)
     select project_id, cid, ${ID} from ${EACH}, unnest(${INPUTS}) cid`,
  `insert into provenance.action_output (project_id, cid, action_id)
     select project_id, ${CID('n')}, ${ID} from ${EACH}`,
  `insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
     select project_id, ${CID('n')}, 'image', performed_by, ${ID}, recorded_at - n * interval '1 second'
     from ${EACH}`,
  `insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
       created_at, leaf_index)
     select s.project_id, md5('attribution' || n)::uuid, s.entity_id, ${ID}, ${CID('n')}, s.role, s.body, s.digest,
       s.salts, s.created_at - n * interval '1 second', ${LEAF}
     from sample_attribution s, generate_series($first, $last) n`,
];

const SAMPLES = [
  `create temporary table sample as select * from provenance.action
     where project_id = '${project}' order by recorded_at desc limit 1`,
  `create temporary table sample_attribution as select t.* from provenance.attribution t
     join sample s on t.project_id = s.project_id and t.action_id = s.id`,
];

export function addUnrelated(url, count) {
  return withClient(url, async (client) => {
    for (const statement of SAMPLES) await client.query(statement);
    for (let first = 1; first <= count; first += SLICE) {
      const last = Math.min(count, first + SLICE - 1);
      for (const statement of STATEMENTS)
        await client.query(statement.replaceAll('$first', first).replaceAll('$last', last));
      console.log(`      ${last.toLocaleString('en')} records`);
    }
  });
}
