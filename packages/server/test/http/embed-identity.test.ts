import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MediaFile, makeMediaFiles } from '../support/media-files.js';
import { createMediaClient } from '../support/media-form.js';
import { ANY_ENGINE, jsonPost, type Service, startService } from '../support/service.js';
import {
  authorityForPeople,
  makeKeys,
  makeSigner,
  peopleAnchorPem,
  trustAnchorPem,
} from '../support/signers.js';

const [jpeg] = (await makeMediaFiles()) as [MediaFile];

function makeIdentity(issuer = authorityForPeople) {
  const { certificatePem: certificate, privateKeyPem: key } = makeSigner({ issuer, subject: 'Ann Author' });
  return { certificate, key };
}

describe('an embedding with an identity', () => {
  let service: Service;
  beforeAll(async () => {
    const signer = makeSigner({ subject: 'Studio' });
    service = await startService(ANY_ENGINE, {
      environment: {
        C2PA_TRUST_ANCHORS: trustAnchorPem,
        C2PA_SIGNING_CERT: signer.certificatePem,
        C2PA_SIGNING_KEY: signer.privateKeyPem,
        CAWG_TRUST_ANCHORS: peopleAnchorPem,
      },
    });
    await service.send('/v1/entity', jsonPost({ id: 'studio:ann', role: 'human', name: 'Ann' }));
  });
  afterAll(() => service.stop());

  const { post, embed, bytesOf } = createMediaClient(() => service);

  it('reports the signer as trusted and the identity as confirmed, also when only the file is read', async () => {
    const identity = { ...makeIdentity(), roles: ['cawg.creator'] };
    const { status, body } = await embed(jpeg.bytes, { identity });
    expect([status, body.validation?.state]).toEqual([201, 'trusted']);
    const read = (await post('extract', { file: await bytesOf(body.cid) })).body;
    for (const answer of [body, read])
      expect(answer).toMatchObject({
        validation: { state: 'trusted' },
        manifest: {
          identities: [
            {
              commonName: 'Ann Author',
              kind: 'cawg.x509.cose',
              roles: ['cawg.creator'],
              state: 'trusted',
            },
          ],
        },
        display: { identities: ['Ann Author, whose identity is confirmed'] },
      });
  });

  it('from an unconfigured authority reports a trusted signer and an identity that is not confirmed', async () => {
    const unknown = { name: 'Own authority', ...makeKeys('P-256') };
    const { body } = await embed(jpeg.bytes, { identity: makeIdentity(unknown) });
    expect(body).toMatchObject({
      validation: {
        state: 'valid',
        summary: expect.stringMatching(/, a trusted signer; an additional identity is not confirmed\.$/),
        codes: expect.arrayContaining([
          expect.objectContaining({ code: 'cawg.x509.credential.untrusted', kind: 'failure' }),
        ]),
      },
      manifest: { identities: [{ state: 'valid', roles: [] }] },
      display: { identities: ['“Ann Author”, whose identity is not confirmed'] },
    });
  });

  it('that cannot sign is rejected with the path of the problem, and nothing is recorded', async () => {
    const identity = { ...makeIdentity(), key: makeIdentity().key };
    const { status, body } = await embed(jpeg.bytes, { identity, title: 'Refused' });
    expect([status, body.error.details]).toEqual([
      422,
      [{ path: 'identity.key', message: 'The identity’s key does not belong to the certificate.' }],
    ]);
    const half = await embed(jpeg.bytes, { identity: { certificate: identity.certificate } });
    expect([half.status, half.body.error.details[0].path]).toEqual([422, 'identity.key']);
    const role = await embed(jpeg.bytes, { identity: { ...makeIdentity(), roles: ['creator'] } });
    expect([role.status, role.body.error.details[0].path]).toEqual([422, 'identity.roles.0']);
    const actions = await (await service.send('/v1/actions')).text();
    expect(actions).not.toContain('Refused');
  });

  it('stores neither its key nor its certificate; a repetition without the identity gets 409', async () => {
    const identity = makeIdentity();
    const actionId = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect((await embed(jpeg.bytes, { identity, actionId })).status).toBe(201);
    expect((await embed(jpeg.bytes, { identity, actionId })).status).toBe(200);
    expect((await embed(jpeg.bytes, { actionId })).status).toBe(409);
    const { provenance } = service.context.databases;
    const tables = await provenance.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema = 'provenance' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables) {
      const rows = JSON.stringify(await provenance.query(`select t::text from ${name} t`));
      expect([name, /PRIVATE KEY|BEGIN CERTIFICATE/.test(rows)]).toEqual([name, false]);
    }
    expect(tables.length).toBeGreaterThan(5);
  });
});
