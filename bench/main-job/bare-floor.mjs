import { randomUUID } from 'node:crypto';
import { namedProjectId } from '../../packages/server/dist/access/create-key.js';
import { cidOf } from '../support/content-ids.mjs';
import { withClient } from '../support/postgres.mjs';
import { PROJECT } from '../support/service.mjs';
import { endOf, middleOf, POPULAR } from './contents.mjs';
import { serverSeconds } from './cpu.mjs';

const project = namedProjectId(PROJECT);

const COLUMNS = {
  action: [
    ...['project_id', 'id', 'type', 'performed_by', 'session_id', 'inputs', 'outputs', 'body', 'digest'],
    ...['salts', 'fingerprint', 'recorded_at', 'leaf_index'],
  ],
  action_input: ['project_id', 'cid', 'action_id'],
  action_output: ['project_id', 'cid', 'action_id'],
  resource: ['project_id', 'cid', 'type', 'created_by', 'root_action', 'created_at'],
  attribution: [
    ...['project_id', 'id', 'entity_id', 'action_id', 'cid', 'role', 'body', 'digest', 'salts', 'created_at'],
    'leaf_index',
  ],
  log_leaf: ['project_id', 'leaf_index', 'kind', 'record_id', 'digest'],
};

/**
 * Inserts the rows of recorded actions without functions of the service. `group` is the number of actions in each
 * transaction. Returns CPU microseconds of the database for each action, and actions per second.
 */
export function measureBareRows({ url, databasePid }, { group, seconds }) {
  return withClient(url, async (client) => {
    const sample = await readSample(client);
    const insert = () => {
      const rows = rowsOf(sample, group);
      return client.query({ name: `bare ${group}`, ...toInsert(rows) });
    };
    return repeat(databasePid, { seconds, insert, each: group });
  });
}

/** Runs the index look-ups that a bundle of three actions needs. */
export function measureBareLookups({ url, databasePid }, { seconds, histories }) {
  return withClient(url, async (client) => {
    let next = 0;
    const read = () => readHistory(client, next++ % histories);
    return repeat(databasePid, { seconds, insert: read, each: 1 });
  });
}

/** The first 20 calls do not count. Each call inserts or reads `each` records. */
export async function repeat(databasePid, { seconds, insert, each }) {
  for (let count = 0; count < 20; count++) await insert();
  const startMs = performance.now();
  const before = serverSeconds(databasePid);
  let records = 0;
  for (; performance.now() - startMs < seconds * 1000; records += each) await insert();
  const cpuUs = ((serverSeconds(databasePid) - before) / records) * 1e6;
  return { cpuUs, perSecond: records / ((performance.now() - startMs) / 1000) };
}

async function readSample(client) {
  const { rows } = await client.query(
    `select a.type, a.performed_by, a.session_id, a.body::text, a.salts::text, a.digest, a.fingerprint, t.role,
       t.body::text as said, t.salts::text as said_salts, t.digest as said_digest
     from provenance.action a join provenance.attribution t on t.project_id = a.project_id and t.action_id = a.id
     where a.project_id = $1 order by a.recorded_at desc limit 1`,
    [project],
  );
  return { ...rows[0], inProject: randomUUID(), nextLeaf: 0 };
}

function rowsOf(sample, group) {
  const rows = Object.fromEntries(Object.keys(COLUMNS).map((table) => [table, []]));
  for (let count = 0; count < group; count++) {
    const [id, attributionId] = [randomUUID(), randomUUID()];
    const [output, earlier] = [cidOf(id), cidOf(attributionId)];
    const at = new Date();
    const leaf = sample.nextLeaf;
    sample.nextLeaf += 2;
    const {
      inProject,
      type,
      performed_by: by,
      session_id: session,
      body,
      digest,
      salts,
      fingerprint,
    } = sample;
    rows.action.push([
      ...[inProject, id, type, by, session, [POPULAR, earlier], [output], body, digest],
      ...[salts, fingerprint, at, leaf],
    ]);
    rows.action_input.push([inProject, POPULAR, id], [inProject, earlier, id]);
    rows.action_output.push([inProject, output, id]);
    rows.resource.push([inProject, output, 'image', by, id, at]);
    rows.attribution.push([
      ...[inProject, attributionId, by, id, output, sample.role, sample.said, sample.said_digest],
      ...[sample.said_salts, at, leaf + 1],
    ]);
    rows.log_leaf.push([inProject, leaf, 'action', id, digest]);
    rows.log_leaf.push([inProject, leaf + 1, 'attribution', attributionId, sample.said_digest]);
  }
  return rows;
}

function toInsert(rows) {
  const values = [];
  const parts = Object.entries(rows).map(([table, given]) => {
    const tuples = given.map((row) => `(${row.map((value) => `$${values.push(value)}`).join(', ')})`);
    return `in_${table} as (insert into provenance.${table} (${COLUMNS[table].join(', ')}) values ${tuples.join(', ')})`;
  });
  return { text: `with ${parts.join(',\n')} select 1`, values };
}

const LOOKUPS = {
  alias: 'select cid from provenance.content_alias where project_id = $1 and alias = $2',
  makers: 'select action_id from provenance.action_output where project_id = $1 and cid = $2',
  action: 'select * from provenance.action where project_id = $1 and id = $2',
  attributions: 'select * from provenance.attribution where project_id = $1 and action_id = any($2)',
  entity: 'select * from provenance.entity where project_id = $1 and id = $2',
  resources: 'select * from provenance.resource where project_id = $1 and cid = any($2)',
};

async function readHistory(client, index) {
  const look = async (name, key) => {
    const { rows } = await client.query({
      name: `bare ${name}`,
      text: LOOKUPS[name],
      values: [project, key],
    });
    return rows;
  };
  const cids = [endOf(index), middleOf(index), POPULAR];
  await look('alias', cids[0]);
  const ids = [];
  for (const cid of cids) ids.push((await look('makers', cid))[0].action_id);
  let performer;
  for (const id of ids) performer = (await look('action', id))[0].performed_by;
  await look('attributions', ids);
  await look('entity', performer);
  await look('resources', cids);
}
