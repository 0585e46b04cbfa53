import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { intercept } from '../support/intercept.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

const BOUND = 1_000;

describe('a list of the control plane', () => {
  let service: Service;
  let projectId: string;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    await service.manage('ann', '/orgs', { body: { name: 'Planet', slug: 'planet' } });
    await service.manage('ann', '/orgs/planet/invitations', { body: {} });
    const made = await service.manage('ann', '/projects', { body: { orgSlug: 'planet', name: 'First' } });
    projectId = (await made.json()).id;
    const { control } = service.context.databases;
    const [org] = await control.query<{ id: string }>(`select id from control.org where slug = 'planet'`);
    await control.query(
      `insert into control.org (id, slug, name, created_at)
       select gen_random_uuid(), 'org-' || n, 'Org', now() + make_interval(secs => n) from generate_series(1, ${BOUND}) n`,
    );
    await control.query(
      `insert into control.member (org_id, account_id, role) select id, 'ann', 'viewer' from control.org
       where slug like 'org-%'`,
    );
    await control.query(
      `insert into control.account (id) select 'user-' || n from generate_series(1, ${BOUND}) n`,
    );
    await control.query(
      `insert into control.member (org_id, account_id, role, created_at)
       select $1, 'user-' || n, 'viewer', now() + make_interval(secs => n) from generate_series(1, ${BOUND}) n`,
      [org?.id],
    );
    await control.query(
      `insert into control.invitation (token_digest, org_id, role, made_by, expires_at, created_at)
       select sha256(n::text::bytea), $1, 'viewer', 'user-' || n, now() + interval '1 day', now() + make_interval(secs => n)
       from generate_series(1, ${BOUND}) n`,
      [org?.id],
    );
    await control.query(
      `insert into control.project (id, org_id, slug, name, created_at)
       select gen_random_uuid(), $1, 'project-' || n, 'P', now() + make_interval(secs => n)
       from generate_series(1, ${BOUND}) n`,
      [org?.id],
    );
    await control.query(
      `insert into control.api_key (id, project_id, key_digest, prefix, name, permission, created_at)
       select gen_random_uuid(), $1, sha256(n::text::bytea), 'pk', 'key-' || n, 'read', now() + make_interval(secs => n)
       from generate_series(1, ${BOUND + 1}) n`,
      [projectId],
    );
  }, 60_000);
  afterAll(() => service.stop());
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['organisations', () => '/orgs', 'slug', 'planet', `org-${BOUND}`],
    ['members', () => '/orgs/planet/members', 'userId', 'ann', `user-${BOUND}`],
    ['invitations', () => '/orgs/planet/invitations', 'madeBy', 'ann', `user-${BOUND}`],
    ['projects', () => '/projects/planet', 'slug', 'first', `project-${BOUND}`],
    ['API keys', () => `/api-keys/${projectId}`, 'name', 'key-1', `key-${BOUND + 1}`],
  ])('shows the 1,000 newest %s, and no older one', async (_what, path, member, oldest, newest) => {
    const listed = (await (await service.manage('ann', path())).json()) as Record<string, string>[];
    const names = listed.map((one) => one[member]);
    expect(names).toHaveLength(BOUND);
    expect(names).toContain(newest);
    expect(names).not.toContain(oldest);
  });

  it.each(['/projects/planet', '/orgs/planet/projects'])('%s reads no certificates', async (path) => {
    const { control } = service.context.databases;
    await control.query('update control.project set signing_certificate = $1, trust_anchors = $1', ['PEM']);
    let read: object[] = [];
    const seen = intercept(control, /from control\.project p .* limit/s, async (run) => {
      const rows = (await run()) as object[];
      read = rows;
      return rows;
    });
    const listed = (await (await service.manage('ann', path)).json()) as object[];
    expect(seen).toHaveLength(1);
    const members = new Set([...read, ...listed].flatMap((project) => Object.keys(project)));
    expect(members).toContain('signingKeySet');
    expect(members).not.toContain('signingCertificate');
    expect(members).not.toContain('trustAnchors');
    expect(await (await service.manage('ann', `/projects/${projectId}`)).json()).toMatchObject({
      signingCertificate: 'PEM',
      trustAnchors: 'PEM',
    });
  });
});
