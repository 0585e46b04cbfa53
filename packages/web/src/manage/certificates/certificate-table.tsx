import type { ReactNode } from 'react';
import { certificates as texts } from '../../strings/certificates.js';
import { Instant } from '../../ui/instant.js';
import { Table } from '../parts.js';
import { type CertificateFacts, stateOfCertificate } from './read-certificates.js';

export function CertificateTable({
  label,
  list,
  actionOf,
}: {
  label: string;
  list: readonly CertificateFacts[];
  actionOf?: (index: number, name: string) => ReactNode;
}) {
  const head = [texts.subject, texts.issuer, texts.from, texts.to, texts.state];
  return (
    <Table label={label} stacks head={actionOf === undefined ? head : [...head, '']}>
      {list.map((certificate, index) => {
        const name = nameOf(certificate);
        return (
          <tr key={`${index} ${certificate.pem}`}>
            <td>{name}</td>
            <Facts of={certificate} />
            {actionOf === undefined ? null : <td className="row-actions">{actionOf(index, name)}</td>}
          </tr>
        );
      })}
    </Table>
  );
}

function nameOf({ read }: CertificateFacts): string {
  if (read === undefined) return texts.unreadable;
  return read.subject === '' ? texts.unnamed : read.subject;
}

function Facts({ of: { read } }: { of: CertificateFacts }) {
  if (read === undefined) return <td colSpan={4} />;
  const { issuer, validFrom, validTo } = read;
  const { state, daysLeft } = stateOfCertificate(read, Date.now());
  return (
    <>
      <td data-name={texts.issuer}>{issuer === '' ? texts.unnamed : issuer}</td>
      <td data-name={texts.from}>
        <Instant at={validFrom.toISOString()} />
      </td>
      <td data-name={texts.to}>
        <Instant at={validTo.toISOString()} />
      </td>
      <td data-name={texts.state}>{state === 'soon' ? texts.soon(daysLeft) : texts[state]}</td>
    </>
  );
}
