import { useState } from 'react';
import { certificates as texts } from '../../strings/certificates.js';
import { ConfirmButton } from '../confirm-button.js';
import { Form } from '../parts.js';
import { CertificateTable } from './certificate-table.js';
import type { CertificatesProps } from './certificates.js';
import { PemField } from './pem-field.js';
import { addCertificates, isSamePem, readCertificates } from './read-certificates.js';

export function TrustPart(props: CertificatesProps) {
  const { project, mayChange, changeAnchors } = props;
  const list = readCertificates(project.trustAnchors ?? '');
  const remove = (index: number) =>
    changeAnchors((stored) => stored.filter((pem) => !isSamePem(pem, list[index]?.pem)));
  const removal = (index: number, name: string) => (
    <ConfirmButton
      kind="quiet"
      name={texts.remove}
      label={texts.removeOf(name)}
      title={texts.removeTitle}
      help={texts.removeHelp(name)}
      onConfirm={() => remove(index)}
    />
  );
  return (
    <section className="card">
      <h2>{texts.anchors}</h2>
      <p>{texts.anchorsWhy}</p>
      {list.length === 0 ? <p>{texts.noAnchors}</p> : null}
      {list.length === 0 ? null : (
        <CertificateTable label={texts.anchors} list={list} {...(mayChange ? { actionOf: removal } : {})} />
      )}
      {mayChange ? <AnchorForm {...props} /> : null}
    </section>
  );
}

function AnchorForm({ changeAnchors, onEdit }: CertificatesProps) {
  const [anchor, setAnchor] = useState('');
  const edit = (pem: string) => {
    onEdit();
    setAnchor(pem);
  };
  const add = async () => {
    await changeAnchors((stored) => addCertificates(stored, anchor));
    setAnchor('');
  };
  return (
    <details>
      <summary>{texts.addAnchor}</summary>
      <div className="narrow">
        <Form submit={texts.add} onSubmit={add}>
          <PemField label={texts.anchor} value={anchor} onChange={edit} />
        </Form>
      </div>
    </details>
  );
}
