import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askAsPage,
  inviteToPlanet,
  PASSWORD,
  type PageUser,
  signUp,
  signUpWithPlanet,
} from '../support/page-user.js';
import { ANY_ENGINE, type Service, startService } from '../support/service.js';

describe('an invitation', () => {
  let service: Service;
  let ann: PageUser;
  beforeAll(async () => {
    service = await startService(ANY_ENGINE);
    ann = await signUpWithPlanet(service);
  });
  afterAll(() => service.stop());

  const invite = (role?: string) => inviteToPlanet(ann, role);
  const change = (sql: string) => service.context.databases.control.query(sql);
  const account = (name: string, invitation: string) => ({ invitation, name, password: PASSWORD });

  it('is listed without its secret until somebody uses it, and does not work after it is withdrawn', async () => {
    const list = async (): Promise<{ id: string; role: string; madeBy: string; expiresAt: string }[]> =>
      (await ann.ask('/management/orgs/planet/invitations')).json();
    const { id, invitation, expiresAt } = await invite('viewer');
    const [newest] = await list();
    expect(newest).toMatchObject({ id, role: 'viewer', madeBy: 'local:ann', expiresAt });
    expect(JSON.stringify(newest)).not.toContain(invitation);
    const withdraw = { method: 'DELETE' };
    expect((await ann.ask(`/management/orgs/planet/invitations/${id}`, withdraw)).status).toBe(200);
    expect((await askAsPage(service, '/accounts', { body: account('max', invitation) })).status).toBe(404);
    const used = await invite();
    await signUp(service, { name: 'max', invitation: used.invitation });
    expect((await list()).filter((one) => [id, used.id].includes(one.id))).toEqual([]);
    const { entries } = await (await ann.ask('/management/orgs/planet/audit?limit=3')).json();
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...{ action: 'invitation.withdraw', target: id, userId: 'local:ann' },
        details: { role: 'viewer', madeBy: 'local:ann' },
      }),
    );
  });

  it('can be checked without a session; the check changes nothing, and has details only if it is valid', async () => {
    const check = async (invitation: string) =>
      (await askAsPage(service, '/invitation-checks', { body: { invitation } })).json();
    const { id, invitation } = await invite();
    const valid = { valid: true, orgName: 'Daily Planet', role: 'developer', invitedBy: 'ann' };
    expect([await check(invitation), await check(invitation)]).toEqual([valid, valid]);
    await change(`update control.invitation set expires_at = now() - interval '1 second' where id = '${id}'`);
    expect(await check(invitation)).toEqual({ valid: false });
    const used = await invite();
    await signUp(service, { name: 'ned', invitation: used.invitation });
    const { invitation: ofAdmin } = await invite('admin');
    const oda = await signUp(service, { name: 'oda', invitation: ofAdmin });
    const byOda = await (await oda.ask('/management/orgs/planet/invitations', { body: {} })).json();
    await ann.ask('/management/orgs/planet/members/local:oda', { method: 'DELETE' });
    for (const spent of [used.invitation, byOda.invitation, 'A'.repeat(43)])
      expect(await check(spent)).toEqual({ valid: false });
  });

  it('names the user who created it by the name of the profile, but never by an e-mail address', async () => {
    const { invitation } = await invite('viewer');
    const read = async (name: string) => {
      await change(`update control.account set name = ${name} where id = 'local:ann'`);
      const answer = await askAsPage(service, '/invitation-checks', { body: { invitation } });
      return (await answer.json()).invitedBy;
    };
    expect(await read("'Ann Lee'")).toBe('Ann Lee');
    expect(await read("'ann@planet.example'")).toBeNull();
    expect(await read('null')).toBe('ann');
  });
});
