// A time-stamping authority for a corpus: OpenSSL behind an HTTP server. Its keys are random and stay in `directory`.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const CONFIG = `[tsa]
default_tsa = one
[one]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
certs = root.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`;

/** Starts the authority. `rootFile` has its root certificate. */
export async function startAuthority(directory) {
  const run = (...argv) => execFileSync('openssl', argv, { cwd: directory, stdio: 'pipe' });
  const write = (name, bytes) => writeFileSync(join(directory, name), bytes);
  run('req', '-x509', ...KEY, '-keyout', 'root.key', '-out', 'root.pem', '-subj', '/CN=Corpus root');
  run('req', ...KEY, '-keyout', 'tsa.key', '-out', 'tsa.csr', '-subj', '/O=Corpus/CN=Corpus authority');
  write('extensions', 'extendedKeyUsage=critical,timeStamping\n');
  const issuer = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-days', '2'];
  run('x509', '-req', '-in', 'tsa.csr', ...issuer, '-extfile', 'extensions', '-out', 'tsa.pem');
  write('config', CONFIG);
  const server = createServer(async (request, response) => {
    write('request', Buffer.concat(await request.toArray()));
    run('ts', '-reply', '-config', 'config', '-queryfile', 'request', '-out', 'answer');
    response.writeHead(200, { 'content-type': 'application/timestamp-reply' });
    response.end(readFileSync(join(directory, 'answer')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/tsr`,
    rootFile: join(directory, 'root.pem'),
    stop: () => server.close(),
  };
}
