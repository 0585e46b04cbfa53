import type { PublishedFacts } from '@colophon/model';
import { describeLength } from '../strings/describe-facts.js';
import { factTexts } from '../strings/facts.js';
import { Instant } from './instant.js';

export function RecordLine({ facts }: { facts: PublishedFacts }) {
  const { recordedAt } = facts;
  return (
    <p className="quiet">
      {recordedAt === undefined ? null : <Instant at={recordedAt} say={factTexts.recorded} />}{' '}
      {describeLength(facts).join(' ')}
    </p>
  );
}
