// Rows for tests of the query plans of lists.

export const PROJECT = '01a20168-21fc-71bd-be7b-a2bb5c39a7ee';
export const COUNT = 20_000;
/** The project with many keys. Its id is `md5('project1')`. */
export const FIRST_PROJECT = 'eeb28b69-4e17-8d22-952b-f92a025a892c';
/**
 * The publications of the first project never expire, those of the second have expired, and those of the third withhold
 * the details.
 */
export const PUBLISHERS = [1, 2, 3].map((n) => `00000000-0000-8000-8000-00000000000${n}`);
/** Two types, two performers and two sessions. `type 0` never occurs with `performer 1`, for example. */
export const PAIRS = '01a20168-21fc-71bd-be7b-a2bb5c39a7ef';
/** 1 in 10 contents is by AI, and 1 in 10,000 is edited with AI. The title of each contains its number. */
export const LIBRARY = '01a20168-21fc-71bd-be7b-a2bb5c39a7f0';
export const FILES = 100_000;

/** In `PROJECT`, only the oldest of 20,000 rows has the type `rare`, which statistics can miss. */
export const FILL = `
  insert into provenance.action (project_id, id, type, performed_by, inputs, outputs, body, digest, salts, fingerprint,
    recorded_at, leaf_index)
  select '${PROJECT}', md5('action' || n)::uuid, case n when 1 then 'rare' else 'usual' end, 'ann', '{}',
    array['out' || n], jsonb_build_object('text', repeat('x', 500)), '', '{}', '', now() + n * interval '1 second', n
  from generate_series(1, ${COUNT}) n;
  insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
  select '${PROJECT}', 'content' || n, case n when 1 then 'rare' else 'usual' end, case n when 1 then 'bob' else 'ann' end,
    md5('action' || n)::uuid, now() + n * interval '1 second'
    from generate_series(1, ${COUNT}) n;
  insert into provenance.attribution (project_id, id, entity_id, cid, role, body, digest, salts, created_at, leaf_index)
  select '${PROJECT}', md5('attribution' || n)::uuid, 'ann', case when n <= ${COUNT / 2} then 'popular' else 'content' || n end, 'role ' || n,
    jsonb_build_object('text', repeat('x', 500)), '', '{}', now() + n * interval '1 second', n
  from generate_series(1, ${COUNT}) n;
  insert into provenance.entity (project_id, id, role, body, digest, salts, created_at, leaf_index)
  select '${PROJECT}', case n when 1 then 'ann' else 'entity' || n end, 'human', '{}', '', '{}', now(), n
  from generate_series(1, ${COUNT}) n;
  insert into provenance.action_input select '${PROJECT}', 'popular', md5('action' || n)::uuid
    from generate_series(1, ${COUNT}) n;
  insert into provenance.action_output select '${PROJECT}', 'out' || n, md5('action' || n)::uuid
    from generate_series(1, ${COUNT}) n;
  insert into provenance.action (project_id, id, type, performed_by, session_id, inputs, outputs, body, digest, salts,
    fingerprint, recorded_at, leaf_index)
  select '${PAIRS}', md5('pair' || n)::uuid, 'type ' || n % 2, 'performer ' || n % 2, 'session ' || n % 2, '{}', '{}',
    jsonb_build_object('text', repeat('x', 500)), '', '{}', '', now() + n * interval '1 second', n
  from generate_series(1, ${COUNT}) n;
  insert into provenance.resource (project_id, cid, type, created_by, root_action, created_at)
  select '${PAIRS}', 'content' || n, 'type ' || n % 2, 'performer ' || n % 2, md5('pair' || n)::uuid,
    now() + n * interval '1 second' from generate_series(1, ${COUNT}) n;
  insert into provenance.entity (project_id, id, role, body, digest, salts, created_at, leaf_index)
  select '${PAIRS}', 'entity' || n, 'role ' || n % 2, jsonb_build_object('name', 'name ' || n % 2), '', '{}',
    now() + n * interval '1 second', n from generate_series(1, ${COUNT}) n;
  insert into provenance.attribution (project_id, id, entity_id, action_id, role, body, digest, salts, created_at, leaf_index)
  select '${PAIRS}', md5('attribution of pair' || n)::uuid, 'entity' || n % 2, case n when 1 then '${PROJECT}' else '${PAIRS}' end::uuid, 'role ' || n,
    jsonb_build_object('text', repeat('x', 500)), '', '{}', now() + n * interval '1 second', n
  from generate_series(1, ${COUNT}) n;
  insert into provenance.resource (project_id, cid, type, mime_type, created_by, root_action, created_at, ai, tool)
  select '${LIBRARY}', 'content' || n, 'image', case n when 1 then 'audio/wav' else 'image/png' end, 'ann',
    md5('file' || n)::uuid, now() + n * interval '1 second', case when n % 10000 = 0 then 2 when n % 10 = 0 then 3 else 0 end,
    case when n % 10000 = 0 then 'rare tool' when n % 10 = 0 then 'usual tool' end
  from generate_series(1, ${FILES}) n;
  insert into provenance.title_word (project_id, cid, word)
  select '${LIBRARY}', 'content' || n, word
  from generate_series(1, ${FILES}) n, unnest(array['photo', 'n' || n, 'hundred' || n % 200]) word;
  insert into provenance.content_maker (project_id, cid, entity_id, created_at)
  select project_id, cid, case when ai = 2 then 'cy' else 'bo' end, created_at
  from provenance.resource where project_id = '${LIBRARY}' and ai <> 0 or project_id = '${LIBRARY}' and cid like '%7';
  alter table provenance.action alter column type set (n_distinct = 1);
  analyze`;

/** The organisation `large` has many members, projects and keys. Ann is a member of many other organisations. */
export const FILL_CONTROL = `
  insert into control.account (id) select 'user' || n from generate_series(1, ${COUNT}) n;
  insert into control.account (id) values ('ann');
  insert into control.org (id, slug, name, created_at, deleted_at)
  select md5('org' || n)::uuid, 'org' || n, 'Org', now() + n * interval '1 second', case when n > 10000 then now() end
  from generate_series(1, ${COUNT}) n;
  insert into control.member (org_id, account_id, role, created_at)
  select md5('org' || n)::uuid, 'ann', 'owner', now() + n * interval '1 second' from generate_series(1, ${COUNT}) n;
  insert into control.org (id, slug, name) values ('${PROJECT}', 'large', 'Large');
  insert into control.member (org_id, account_id, role, created_at)
  select '${PROJECT}', 'user' || n, case n when ${COUNT} then 'owner' else 'viewer' end, now() + n * interval '1 second'
  from generate_series(1, ${COUNT}) n;
  insert into control.project (id, org_id, slug, name, created_at, deleted_at)
  select md5('project' || n)::uuid, '${PROJECT}', 'project' || n, 'P', now() + n * interval '1 second',
    case when n > 10000 then now() end from generate_series(1, ${COUNT}) n;
  insert into control.api_key (id, project_id, key_digest, prefix, name, permission, created_at)
  select md5('key' || n)::uuid, md5('project1')::uuid, sha256(n::text::bytea), 'pk', 'key', 'read',
    now() + n * interval '1 second' from generate_series(1, ${COUNT}) n;
  insert into control.usage_day (project_id, key_id, day, status, calls, bytes_stored, actions_recorded)
  select '${PROJECT}', 'key' || n, current_date, 200, 1, 1, 1 from generate_series(1, ${COUNT}) n;
  insert into control.usage_month select project_id, date_trunc('month', day)::date, sum(calls), sum(bytes_stored)
  from control.usage_day group by 1, 2;
  insert into control.project (id, org_id, slug, name, public_detector)
  select id, '${PROJECT}', id::text, 'P', true from unnest('{${PUBLISHERS}}'::uuid[]) id;
  insert into control.publication
    (project_id, id, cid, withhold, hidden_entities, pseudonym_key, titles, created_at, expires_at)
  select p.id, p.place || '-' || n, 'published', case p.place when 3 then '["details"]' else '[]' end::jsonb, '[]', 'key', true,
    now() + n * interval '1 second', case p.place when 2 then now() - n * interval '1 second' end
  from unnest('{${PUBLISHERS}}'::uuid[]) with ordinality p(id, place), generate_series(1, ${COUNT}) n;
  insert into control.publication (project_id, id, cid, withhold, hidden_entities, pseudonym_key)
  select md5('project' || n)::uuid, 'widespread-' || n, 'widespread', '[]', '[]', 'key' from generate_series(1, ${COUNT}) n;
  analyze control.account, control.org, control.member, control.project, control.api_key, control.publication`;
