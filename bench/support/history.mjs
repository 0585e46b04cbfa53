import { cidOf } from './content-ids.mjs';
import { withClient } from './postgres.mjs';
import { createPerformer, KEY } from './service.mjs';
import { PERFORMER, toActionBody } from './typical-action.mjs';

/** The bundle of the n-th CID has n actions. */
export function chainOf(length) {
  return Array.from({ length }, (_, index) => cidOf(`link ${index} of the chain`));
}

/** Each action uses the outputs of the two previous actions. */
export async function recordChain(service, chain) {
  await createPerformer(service, { id: PERFORMER });
  for (const [index, output] of chain.entries()) {
    const inputs = chain.slice(Math.max(0, index - 2), index);
    await post(service, '/v1/action', toActionBody({ inputs, output, sessionId: 'chain' }));
  }
}

export async function post({ base }, path, body) {
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

const CID = (number) => `'bafkrei' || md5(${number}::text) || substr(md5((${number})::text || 'x'), 1, 20)`;
const ID = `overlay(md5('action' || n) placing lpad(to_hex(n), 8, '0') from 1 for 8)::uuid`;

/** The added records are not in the log, so their leaf indexes are far beyond its end. */
const LEAF = '1000000000 + n';

/** Copies the last action of the chain with other ids and contents, as a separate chain of `count` actions. */
const UNRELATED = [
  `create temporary table sample as
     select * from provenance.action order by recorded_at desc limit 1`,
  `create temporary table sample_attribution as
     select t.* from provenance.attribution t join sample s on t.action_id = s.id`,
  `insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body, digest,
       salts, fingerprint, recorded_at, leaf_index)
     select project_id, ${ID}, type, performed_by, 'session ' || n / 50,
       array[${CID('(n - 1)')}, ${CID('(n - 2)')}], array[${CID('n')}],
       body, digest, salts, fingerprint, recorded_at - n * interval '1 second', ${LEAF}
     from sample, generate_series(1, $count) n`,
  `insert into provenance.action_input
     select project_id, cid, ${ID} from sample, generate_series(1, $count) n,
       unnest(array[${CID('(n - 1)')}, ${CID('(n - 2)')}]) cid`,
  `insert into provenance.action_output
     select project_id, ${CID('n')}, ${ID} from sample, generate_series(1, $count) n`,
  `insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
     select project_id, ${CID('n')}, 'image', performed_by, ${ID}, recorded_at - n * interval '1 second'
     from sample, generate_series(1, $count) n`,
  `insert into provenance.attribution (project_id, id, entity_id, action_id, cid, role, body, digest, salts,
       created_at, leaf_index)
     select project_id, md5('attribution' || n)::uuid, entity_id, ${ID}, ${CID('n')}, role, body, digest, salts,
       created_at - n * interval '1 second', ${LEAF}
     from sample_attribution, generate_series(1, $count) n`,
  'vacuum analyze',
];

export function addUnrelated(url, count) {
  return withClient(url, async (client) => {
    for (const statement of UNRELATED) await client.query(statement.replaceAll('$count', String(count)));
  });
}
