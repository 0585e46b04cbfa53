import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeSigner, peopleAnchorPem, trustAnchorPem } from '../../server/test/support/signers.js';
import { isAccountName } from '../src/manage/account-fields.js';
import { failureOf, openIdAddress } from '../src/manage/by-provider.js';
import {
  addCertificates,
  isSamePem,
  readCertificates,
  stateOfCertificate,
} from '../src/manage/certificates/read-certificates.js';
import { layOutBars } from '../src/manage/lay-out-bars.js';
import { fateOfToken, toDraft, toPatch } from '../src/manage/pinning/pinning-draft.js';
import { toReportPath, usualPeriod } from '../src/manage/report-period.js';
import { rolesUpTo } from '../src/manage/roles-up-to.js';
import { sayDetails } from '../src/manage/say-details.js';
import { stateOfKey } from '../src/manage/state-of-key.js';
import { toCurl } from '../src/manage/to-curl.js';
import { toSlug } from '../src/manage/to-slug.js';
import { nameUser } from '../src/shell/name-user.js';
import { manage } from '../src/strings/manage.js';
import { record } from '../src/strings/record.js';

it('the dialog of a new key and the form of a record say the same about later changes', () => {
  const said = 'You cannot change a record later, but you can add a corrected entry.';
  expect(manage.keys.namesNeeded('Ann')).toContain(said);
  expect(record.permanent).toContain(said);
});

it('a local user appears under the sign-in name, which the sign-in accepts', () => {
  const name = nameUser({ id: 'local:marta.keller', name: null });
  expect([name, isAccountName(name), isAccountName('local:marta.keller')]).toEqual([
    ...['marta.keller', true, false],
  ]);
  expect(nameUser({ id: 'local:marta.keller', name: 'Marta Keller' })).toBe('Marta Keller');
  expect(nameUser({ id: 'oidc:1', name: null })).toBe('oidc:1');
});

describe('the period of a report', () => {
  const toQuery = (from: string, until: string) =>
    toReportPath('p1', { from, until, today: '2026-03-01' }).split('?')[1];

  it('has the last 30 days at first, and includes its last day', () => {
    const usual = usualPeriod(new Date('2026-03-01T23:59:59.999Z'));
    expect(usual).toEqual({ from: '2026-01-31', until: '2026-03-01' });
    expect(toQuery('2026-02-01', '2026-02-28')).toBe('from=2026-02-01&to=2026-03-01');
  });

  it('ends at the present instant when it includes today', () => {
    expect(toQuery('2026-02-01', '2026-03-01')).toBe('from=2026-02-01');
  });
});

describe('bars of usage', () => {
  const box = { width: 100, height: 50 };
  const day = (total: number, success: number) => ({ date: '2026-01-01', total, success });

  it('give the busiest day full height, and stack failed calls on successful ones', () => {
    const { bars, most } = layOutBars([day(10, 5), day(5, 5)], box);
    expect(most).toBe(10);
    expect(bars.map(({ good, failed }) => [good, failed])).toEqual([
      [
        { y: 25, height: 25 },
        { y: 0, height: 25 },
      ],
      [
        { y: 25, height: 25 },
        { y: 25, height: 0 },
      ],
    ]);
    for (const { x, width } of bars) expect(x + width).toBeLessThanOrEqual(100);
  });

  it('have no height on days without calls, and are absent without days', () => {
    expect(layOutBars([day(0, 0)], box).bars[0]?.good.height).toBe(0);
    expect(layOutBars([], box)).toEqual({ bars: [], most: 0 });
  });
});

it.each([
  ['Daily Planet', 'daily-planet'],
  ['  Évening & Stär ', 'evening-star'],
  ['ひ', ''],
  ['x'.repeat(60), 'x'.repeat(40)],
])('the slug of %j is %j', (name, slug) => {
  expect(toSlug(name)).toBe(slug);
});

it('a key is in use until it is revoked or expires', () => {
  const at = (revokedAt: string | null, expiresAt: string | null) =>
    stateOfKey({ revokedAt, expiresAt }, Date.parse('2026-06-01T00:00:00Z'));
  expect(at(null, null)).toBe('live');
  expect(at(null, '2026-07-01T00:00:00Z')).toBe('live');
  expect(at(null, '2026-06-01T00:00:00Z')).toBe('expired');
  expect(at('2026-05-01T00:00:00Z', '2026-07-01T00:00:00Z')).toBe('revoked');
});

it('an admin can assign the roles `admin`, `developer` and `viewer`', () => {
  expect(rolesUpTo('admin')).toEqual(['admin', 'developer', 'viewer']);
});

it('the page shows the details of a change in one line, without ids and empty values', () => {
  expect(sayDetails({ id: '7', name: 'a', life: null, none: [], empty: '', fields: ['x'] })).toBe(
    'name: a; fields: x',
  );
  expect(sayDetails({ from: 'viewer', to: 'developer' })).toBe(
    'from: Viewer (can only read); to: Developer (can record and publish)',
  );
  expect(sayDetails({ role: 'admin', name: 'admin', permissions: 'admin' })).toBe(
    'role: Admin (can also manage members); name: admin; permissions: admin',
  );
  expect(sayDetails({ withhold: ['names', 'prompts'], settings: ['publicLog', 'limits'] })).toBe(
    'left out: names, prompts; settings: public log, limits',
  );
  expect(manage.audit.actions['publication.revoke']).toBe('ended a publication');
});

it('the address of a sign-in at the provider has the path to return to, and codes of failures have texts', () => {
  expect(openIdAddress('/app/manage')).toBe('/app/api/openid/begin?returnTo=%2Fapp%2Fmanage');
  expect(failureOf('')).toBeUndefined();
  expect(failureOf('?sign-in=late')).toContain('too long');
  expect(failureOf('?sign-in=anything')).toContain('could not reach the provider');
});

describe('the certificates of a PEM text', () => {
  const DAY_MS = 86_400_000;

  it('have the names and dates that Node reads', () => {
    const validTo = new Date(Date.UTC(2060, 1, 3, 4, 5, 6));
    const { certificatePem } = makeSigner({ subject: 'Ann Ömer', validTo });
    const list = readCertificates([certificatePem, trustAnchorPem, peopleAnchorPem].join('\n'));
    expect(list.map(({ read }) => read?.subject)).toEqual([
      'Ann Ömer, Colophon development',
      'Authority of the tests, Colophon development',
      'Authority for people, Colophon development',
    ]);
    for (const { pem, read } of list) {
      const expected = new X509Certificate(pem);
      expect([read?.validFrom, read?.validTo]).toEqual(
        [expected.validFrom, expected.validTo].map((text) => new Date(text)),
      );
    }
    expect([list[0]?.read?.issuer, list[0]?.read?.validTo]).toEqual([
      'Authority of the tests, Colophon development',
      validTo,
    ]);
  });

  it('are unreadable when they are cut off or not DER, and blocks of other types are left out', () => {
    const toPem = (bytes: Uint8Array, label = 'CERTIFICATE') =>
      `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64')}\n-----END ${label}-----`;
    const { raw } = new X509Certificate(trustAnchorPem);
    const given = [toPem(raw.subarray(0, 100)), toPem(Uint8Array.of(1, 2, 3)), toPem(raw, 'PUBLIC KEY')];
    expect(readCertificates(given.join('\n')).map(({ read }) => read)).toEqual([undefined, undefined]);
    for (let length = 0; length < raw.length; length += 7)
      expect(readCertificates(toPem(raw.subarray(0, length))).every(({ read }) => read === undefined)).toBe(
        true,
      );
  });

  it.each([
    ['early', -2, -1],
    ['valid', 10, 31],
    ['soon', 10, 30],
    ['expired', 10, -1],
  ])('are %s by their dates', (state, fromDaysAgo, toDays) => {
    const now = Date.now();
    const dates = {
      validFrom: new Date(now - fromDaysAgo * DAY_MS),
      validTo: new Date(now + toDays * DAY_MS),
    };
    const found = stateOfCertificate({ subject: '', issuer: '', ...dates }, now);
    expect(found).toEqual({ state, daysLeft: toDays });
  });
});

describe('the form of the pinning settings', () => {
  const stored = {
    storageType: null,
    ipfsProvider: 'kubo',
    ipfsApiKeySet: true,
    ipfsGateway: 'https://kubo.example',
  } as const;
  const draft = toDraft(stored);

  it.each([
    ['keeps the token without a change', {}, 'kept', {}],
    [
      'deletes the token when the address changes',
      { address: 'https://b.example' },
      'deleted',
      { ipfsApiKey: null },
    ],
    ['deletes the token when the service changes', { provider: 'pinata' }, 'deleted', { ipfsApiKey: null }],
    ['replaces the token', { token: ' new-token ' }, 'kept', { ipfsApiKey: 'new-token' }],
  ] as const)('%s', (_, part, fate, sent) => {
    const changed = { ...draft, ...part };
    expect(fateOfToken(changed, stored)).toBe(fate);
    const { ipfsProvider, ipfsApiKey } = toPatch(changed, stored);
    expect({ ipfsProvider, ...(ipfsApiKey === undefined ? {} : { ipfsApiKey }) }).toEqual({
      ipfsProvider: changed.provider,
      ...sent,
    });
  });

  it('removes all settings of the service when no service is chosen', () => {
    expect(toPatch({ ...draft, provider: 'none', state: 'local' }, stored)).toEqual({
      storageType: 'local',
      ipfsProvider: null,
      ipfsApiKey: null,
      ipfsGateway: null,
    });
  });
});

describe('the command for a new key', () => {
  const made = { key: 'pk_live_x', permissions: 'write', entityId: "studio:o'neil" } as const;

  it('names the entity of a bound key, escaped for the shell, and its role if the project lacks this entity', () => {
    const at = { base: 'https://a.example', name: 'Ann' };
    const command = toCurl(made, { ...at, isKnown: true });
    expect(command).toContain(String.raw`"entity":{"id":"studio:o'\''neil"},`);
    expect(toCurl(made, { ...at, isKnown: false })).toContain('"role":"human"');
  });

  it('sends the name of the maker unchanged through the shell', () => {
    const name = `Zoë "Z" O'Neil; type=x $HOME \\ \`id\``;
    const command = toCurl({ ...made, entityId: null }, { base: 'https://a.example', isKnown: false, name });
    const printed = execFileSync('sh', ['-c', command.replace('curl', String.raw`printf '%s\n'`)]);
    const lines = printed.toString().split('\n');
    const json = lines[lines.indexOf('--form-string') + 1]?.replace('json=', '') ?? '';
    expect(JSON.parse(json).entity).toEqual({ role: 'human', name });
  });
});

it('addCertificates adds each certificate once, and adds a text without certificates in trimmed form', () => {
  const [people, tests] = [peopleAnchorPem.trim(), trustAnchorPem.trim()];
  const windows = people.replaceAll('\n', '\r\n');
  expect(isSamePem(people, windows)).toBe(true);
  expect(isSamePem(people, tests)).toBe(false);
  expect(addCertificates([people], `${windows}\n${tests}\n${tests}`)).toEqual([people, tests]);
  expect(addCertificates([people], ' no certificate ')).toEqual([people, 'no certificate']);
});
