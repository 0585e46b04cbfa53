import { counter } from '../languages/counter.js';
import { textsOf } from '../languages/texts.js';

const days = counter('en', { one: 'day', other: 'days' });

export const certificates = textsOf('certificates', {
  title: 'Certificates',
  signing: 'Certificate for signatures',
  signingWhy: 'The service signs the Content Credentials of this project with this certificate and its key.',
  noSigning: 'This project has no certificate. The service signs with its own certificate, if it has one.',
  key: 'Private key',
  keySet: 'Stored encrypted; nobody can read it here',
  keyAbsent: 'Missing: the project cannot sign with this certificate',
  anchors: 'Trusted authorities',
  anchorsWhy:
    'The service trusts signers whose certificate chain ends at one of these certificates, in addition to those that it trusts for all projects.',
  noAnchors: 'This project trusts no further authorities.',
  subject: 'Owner',
  issuer: 'Issued by',
  from: 'Valid from',
  to: 'Valid until',
  state: 'State',
  unreadable: 'This page cannot read the certificate',
  unnamed: 'Without a name',
  valid: 'Valid',
  early: 'Not valid yet',
  expired: 'Expired',
  soon: (left: number) => `Expires in ${days(left)}`,
  setSigning: 'Set the certificate',
  replaceSigning: 'Replace the certificate',
  chain: 'Certificates (PEM)',
  chainHint: 'The certificate of the signer first, then those of its authorities.',
  keyField: 'Private key (PEM)',
  keyHint: 'Without a passphrase. The service stores it encrypted and does not show it again.',
  fromFile: (field: string) => `${field} from a file`,
  save: 'Save the certificate',
  saved: 'Saved.',
  removeSigning: 'Remove the certificate and its key',
  removeSigningHelp:
    'The service deletes the certificate and its key. Files that are already signed stay signed.',
  addAnchor: 'Trust another authority',
  anchor: 'Certificate of the authority (PEM)',
  add: 'Add the certificate',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove a certificate',
  removeHelp: (name: string) =>
    `Then this project no longer trusts signers through “${name}”. Other authorities still count.`,
  tooLarge: 'This file is too large for a certificate or key: at most 64 KB.',
  notPem: 'This file is not PEM. Convert it first, for example with `openssl x509 -inform der`.',
  unread: 'The browser could not read this file.',
});
