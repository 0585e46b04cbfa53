import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** OpenSSL behind an HTTP server on this machine. */
export interface Authority {
  url: string;
  rootFile: string;
  /** The requests in DER, in the order of their arrival. */
  requests: Buffer[];
  /** The status of the answers to time-stamp requests. The default is 200. */
  status: number;
  change: (answer: Buffer) => Buffer;
  close(): Promise<void>;
}

export interface AuthorityFiles {
  rootFile: string;
  /** `usage`: extended key usage. Returns the name of the certificate. */
  issue(name: string, options?: { usage?: string; days?: number; key?: readonly string[] }): string;
  /** `request`: DER. Signs the answer with the key of this certificate. */
  answer(name: string, request: Buffer, ...options: string[]): Buffer;
  signAgain(name: string, token: Buffer): Buffer;
  run(...argv: string[]): Buffer;
}

const EC_KEY = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];

/** The directory must be empty. */
export function createAuthorityFiles(directory: string, root = 'Test root'): AuthorityFiles {
  const at = (name: string) => path.join(directory, name);
  const run = (...argv: string[]) => execFileSync('openssl', argv, { cwd: directory, stdio: 'pipe' });
  const newKey = (key: readonly string[]) => ['-newkey', ...key, '-nodes'];
  run('req', '-x509', ...newKey(EC_KEY), '-keyout', 'root.key', '-out', 'root.pem', '-subj', `/CN=${root}`);
  return {
    rootFile: at('root.pem'),
    issue(name, { usage = 'critical,timeStamping', days = 10, key = EC_KEY } = {}) {
      run(
        'req',
        ...newKey(key),
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.csr`,
        '-subj',
        `/O=Test/CN=${name}`,
      );
      writeFileSync(at(`${name}.ext`), `extendedKeyUsage=${usage}\n`);
      const issuer = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial'];
      const terms = ['-days', String(days), '-extfile', `${name}.ext`, '-out', `${name}.pem`];
      run('x509', '-req', '-in', `${name}.csr`, ...issuer, ...terms);
      return name;
    },
    answer(name, request, ...options) {
      writeFileSync(at('request'), request);
      writeFileSync(at('config'), toConfig(at(''), name));
      const files = ['-config', 'config', '-queryfile', 'request', '-out', 'answer'];
      run('ts', '-reply', ...files, ...options);
      return readFileSync(at('answer'));
    },
    signAgain(name, token) {
      writeFileSync(at('token'), token);
      run('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token', '-out', 'content');
      const content = [
        '-binary',
        '-nodetach',
        '-econtent_type',
        '1.2.840.113549.1.9.16.1.4',
        '-in',
        'content',
      ];
      const signer = ['-signer', `${name}.pem`, '-inkey', `${name}.key`, '-md', 'sha256', '-cades'];
      run('cms', '-sign', ...content, ...signer, '-outform', 'DER', '-out', 'signed');
      return readFileSync(at('signed'));
    },
    run,
  };
}

function toConfig(directory: string, name: string): string {
  const settings = {
    serial: `${directory}/serial`,
    signer_cert: `${directory}/${name}.pem`,
    signer_key: `${directory}/${name}.key`,
    certs: `${directory}/root.pem`,
    signer_digest: 'sha256',
    default_policy: '1.2.3.4.1',
    digests: 'sha256',
    ess_cert_id_alg: 'sha256',
  };
  const lines = Object.entries(settings).map((pair) => pair.join(' = '));
  return ['[tsa]', 'default_tsa = one', '[one]', ...lines, ''].join('\n');
}

export async function startAuthority(files: AuthorityFiles, name: string): Promise<Authority> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    authority.requests.push(body);
    const isQuery = request.headers['content-type'] === 'application/timestamp-query';
    response.writeHead(isQuery ? authority.status : 415, { 'content-type': 'application/timestamp-reply' });
    response.end(isQuery && authority.status === 200 ? authority.change(files.answer(name, body)) : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const authority: Authority = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    rootFile: files.rootFile,
    requests: [],
    status: 200,
    change: (answer) => answer,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return authority;
}
