// Tokens of time-stamping authorities (RFC 3161) for vectors, made by OpenSSL. The keys stay in a temporary directory.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const EC_KEY = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
const P384_KEY = ['ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1'];
/** 100 years. */
const DAYS = 36_500;
const TIME_STAMPING = 'extendedKeyUsage=critical,timeStamping';
const CA = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';

/** OpenSSL in a temporary directory with two root certificates. */
function openAuthority() {
  const directory = mkdtempSync(join(tmpdir(), 'colophon-stamps-'));
  const run = (...argv) => execFileSync('openssl', argv, { cwd: directory, stdio: 'pipe' });
  const write = (name, bytes) => writeFileSync(join(directory, name), bytes);
  const read = (name) => readFileSync(join(directory, name));
  for (const name of ['root', 'elsewhere'])
    run(
      ...[
        'req',
        '-x509',
        '-newkey',
        ...EC_KEY,
        '-nodes',
        '-days',
        String(DAYS),
        '-subj',
        `/CN=Vector ${name}`,
      ],
      ...['-keyout', `${name}.key`, '-out', `${name}.pem`],
    );
  /** Issues a certificate and returns its name. */
  const issue = (name, { issuer = 'root', key = EC_KEY, days = DAYS, extensions = TIME_STAMPING } = {}) => {
    const subject = ['-subj', `/O=Vectors/CN=Vector ${name}`];
    run('req', '-newkey', ...key, '-nodes', ...subject, '-keyout', `${name}.key`, '-out', `${name}.csr`);
    return certify(name, { issuer, days, extensions });
  };
  const certify = (name, { issuer, days, extensions }) => {
    write('extensions', `${extensions}\n`);
    run(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`],
      ...['-CAcreateserial', '-days', String(days), '-extfile', 'extensions', '-out', `${name}.pem`],
    );
    return name;
  };
  /** The token of an authority over these bytes. `certs`: names of the further certificates in the token. */
  const stamp = (
    name,
    data,
    { digest = 'sha256', imprint = 'sha256', ess = 'sha256', certs = [], bare } = {},
  ) => {
    write('data', data);
    write('chain', Buffer.concat([...certs, 'root'].map((one) => read(`${one}.pem`))));
    write('config', toConfig({ name, digest, ess }));
    run('ts', '-query', '-data', 'data', `-${imprint}`, ...(bare ? [] : ['-cert']), '-out', 'query');
    run('ts', '-reply', '-config', 'config', '-queryfile', 'query', '-token_out', '-out', 'token');
    return read('token');
  };
  /** Signs the content of a token again, with other certificates or another type of the content. */
  const signAgain = (names, token, { type = TST_INFO, options = ['-cades'] } = {}) => {
    write('token', token);
    run('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token', '-out', 'content');
    const signers = names.flatMap((name) => ['-signer', `${name}.pem`, '-inkey', `${name}.key`]);
    const content = ['-binary', '-nodetach', '-econtent_type', type, '-in', 'content'];
    run(
      'cms',
      '-sign',
      ...content,
      ...signers,
      '-md',
      'sha256',
      ...options,
      '-outform',
      'DER',
      '-out',
      'signed',
    );
    return read('signed');
  };
  const close = () => rmSync(directory, { recursive: true });
  return { issue, certify, stamp, signAgain, pem: (name) => read(`${name}.pem`).toString(), close };
}

function toConfig({ name, digest, ess }) {
  const settings = {
    ...{ serial: 'serial', signer_cert: `${name}.pem`, signer_key: `${name}.key`, certs: 'chain' },
    ...{
      signer_digest: digest,
      default_policy: '1.2.3.4.1',
      digests: 'sha256, sha512',
      ess_cert_id_alg: ess,
    },
  };
  const lines = Object.entries(settings).map((pair) => pair.join(' = '));
  return ['[tsa]', 'default_tsa = one', '[one]', ...lines, ''].join('\n');
}

const flipAt = (bytes, at) => bytes.map((byte, place) => (place === at ? byte ^ 1 : byte));

/**
 * Returns the root certificates, and tokens of authorities as `[result, name, token]`. Most tokens are over `root`, the
 * root hash of a time-stamp. `result` is what a verifier must report.
 */
export function makeTokens(root) {
  const authority = openAuthority();
  const { issue, certify, stamp, signAgain, pem } = authority;
  const of = (name, options) => stamp(issue(name, options), root);
  issue('middle', { extensions: CA });
  issue('short', { extensions: CA.replace('TRUE', 'TRUE,pathlen:0') });
  issue('below short', { issuer: 'short', extensions: CA });
  issue('no authority', { extensions: 'basicConstraints=critical,CA:FALSE' });
  issue('old middle', { extensions: CA, days: -1 });
  const below = (name, certs, of = certs[0]) => stamp(issue(name, { issuer: of }), root, { certs });
  // The authorities `left` and `right` have issued certificates for each other.
  issue('left', { extensions: CA });
  issue('right', { issuer: 'left', extensions: CA });
  certify('left', { issuer: 'right', days: DAYS, extensions: CA });
  issue('mail', { extensions: 'extendedKeyUsage=critical,emailProtection' });
  issue('both', { extensions: `${TIME_STAMPING},emailProtection` });
  issue('loose', { extensions: 'extendedKeyUsage=timeStamping' });
  issue('free', { extensions: 'basicConstraints=CA:FALSE' });
  issue('rsa', { key: ['rsa:2048'] });
  // `signAgain` signs this token with the certificates above. They must be valid at the time of the token, so create
  // the token after them.
  const sound = of('authority');
  const genTime = sound.indexOf(Buffer.from([0x18, 0x0f]));
  const tokens = [
    ['verified', 'ECDSA with P-256', sound],
    ['verified', 'RSA', stamp('rsa', root)],
    ['verified', 'P-384 and SHA-384', stamp(issue('p384', { key: P384_KEY }), root, { digest: 'sha384' })],
    ['verified', 'a SigningCertificate with SHA-1', stamp('authority', root, { ess: 'sha1' })],
    ['verified', 'a certificate below another authority', below('lower', ['middle'])],
    ['verified', 'a certificate that expires a day after the token', of('a day', { days: 1 })],
    ['malformedToken', 'four bytes that are no DER', Buffer.from([0x30, 0x82, 0x7f, 0xff])],
    ['malformedToken', 'an empty sequence', Buffer.from([0x30, 0])],
    ['malformedToken', 'a byte less', sound.subarray(0, -1)],
    ['malformedToken', 'a byte more', Buffer.concat([sound, Buffer.alloc(1)])],
    ['malformedToken', 'a content of another type', signAgain(['authority'], sound, { type: '1.2.3.4' })],
    ['malformedToken', 'two signers', signAgain(['authority', 'rsa'], sound)],
    ['otherImprint', 'other data', stamp('authority', Buffer.alloc(32, 1))],
    ['otherImprint', 'the imprint of the root by SHA-512', stamp('authority', root, { imprint: 'sha512' })],
    ['badTokenSignature', 'a changed signature', flipAt(sound, sound.length - 1)],
    ['badTokenSignature', 'another time', flipAt(sound, genTime + 4)],
    ['badTokenSignature', 'no certificate', stamp('authority', root, { bare: true })],
    ['badTokenSignature', 'no name of the certificate', signAgain(['authority'], sound, { options: [] })],
    ['untrustedAuthority', 'a certificate of another root', of('foreign', { issuer: 'elsewhere' })],
    ['untrustedAuthority', 'an expired certificate', of('expired', { days: -1 })],
    ['untrustedAuthority', 'a missing certificate between', below('lonely', [], 'middle')],
    ['untrustedAuthority', 'an expired certificate between', below('late', ['old middle'])],
    ['untrustedAuthority', 'an issuer that is no authority', below('usurped', ['no authority'])],
    ['untrustedAuthority', 'a longer chain than permitted', below('deep', ['below short', 'short'])],
    ['untrustedAuthority', 'certificates that issued each other', below('circular', ['left', 'right'])],
    ['wrongUsage', 'a certificate for mail', signAgain(['mail'], sound)],
    ['wrongUsage', 'two usages', signAgain(['both'], sound)],
    ['wrongUsage', 'a usage that is not critical', signAgain(['loose'], sound)],
    ['wrongUsage', 'no usage', signAgain(['free'], sound)],
  ];
  const certificates = { root: pem('root'), elsewhere: pem('elsewhere') };
  authority.close();
  return { certificates, tokens };
}
