import { useState } from 'react';
import { certificates as texts } from '../../strings/certificates.js';
import { ConfirmButton } from '../confirm-button.js';
import { Form } from '../parts.js';
import { CertificateTable } from './certificate-table.js';
import type { CertificatesProps } from './certificates.js';
import { PemField } from './pem-field.js';
import { readCertificates } from './read-certificates.js';

export function SigningPart(props: CertificatesProps) {
  const { project, mayChange, change } = props;
  const { signingCertificate, signingKeySet } = project;
  const isSet = signingCertificate !== null || signingKeySet;
  return (
    <section className="card">
      <h2>{texts.signing}</h2>
      <p>{isSet ? texts.signingWhy : texts.noSigning}</p>
      {signingCertificate === null ? null : (
        <CertificateTable label={texts.signing} list={readCertificates(signingCertificate)} />
      )}
      {isSet ? (
        <p>
          {texts.key}: {signingKeySet ? texts.keySet : texts.keyAbsent}
        </p>
      ) : null}
      {isSet && mayChange ? (
        <div className="row">
          <ConfirmButton
            name={texts.removeSigning}
            title={texts.removeTitle}
            help={texts.removeSigningHelp}
            onConfirm={() => change({ signingCertificate: null, signingKey: null })}
          />
        </div>
      ) : null}
      {mayChange ? <SigningForm {...props} isSet={isSet} /> : null}
    </section>
  );
}

function SigningForm({ change, onEdit, isSet }: CertificatesProps & { isSet: boolean }) {
  const [chain, setChain] = useState('');
  const [key, setKey] = useState('');
  const edit = (set: (pem: string) => void) => (pem: string) => {
    onEdit();
    set(pem);
  };
  const save = async () => {
    await change({ signingCertificate: chain, signingKey: key });
    setChain('');
    setKey('');
  };
  return (
    <details>
      <summary>{isSet ? texts.replaceSigning : texts.setSigning}</summary>
      <div className="narrow">
        <Form submit={texts.save} onSubmit={save}>
          <PemField label={texts.chain} hint={texts.chainHint} value={chain} onChange={edit(setChain)} />
          <PemField label={texts.keyField} hint={texts.keyHint} value={key} onChange={edit(setKey)} />
        </Form>
      </div>
    </details>
  );
}
