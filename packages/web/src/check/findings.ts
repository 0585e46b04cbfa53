import type { ContentDigests, MediaExtraction, PublicCheck, SearchResult } from '@colophon/model';
import type { FileVerdict } from '@colophon/sdk';
import { nameAction } from '../shell/name-action.js';
import { check } from '../strings/check.js';
import { credentials } from '../strings/credentials.js';
import { describeOrigin } from '../strings/describe-facts.js';
import type { Examined } from './credentials/examine.js';
import { sayReason, sayStanding } from './say-credentials.js';

/** Findings of the service. A member is null when the service does not support this file. */
export interface ServiceFindings {
  extraction: MediaExtraction | null;
  search: SearchResult | null;
}

/**
 * Findings on a file so far. A member is undefined while its result is pending, or if the page has not requested it.
 */
export interface Findings {
  digests?: ContentDigests;
  /** Null when the page has no key. */
  recorded?: FileVerdict | null;
  /** Facts that the service shows without a key. Requested only when the page has no key. */
  publicly?: PublicCheck;
  examined?: Examined;
  service?: ServiceFindings;
}

export interface Headline {
  kind: 'good' | 'info' | 'warning' | 'danger';
  text: string;
  more?: string;
}

/** Returns the headline for a problem, or else for the most certain finding. Undefined while too little is known. */
export function headlineOf(findings: Findings): Headline | undefined {
  return (
    ofFault(findings) ??
    ofRecords(findings) ??
    ofPublic(findings) ??
    ofCredentials(findings) ??
    ofMatches(findings) ??
    ofNothing(findings)
  );
}

function ofFault(findings: Findings): Headline | undefined {
  const { recorded, examined, service } = findings;
  const said = service?.extraction;
  if (said?.validation?.state === 'invalid') {
    const reason = sayReason(said.validation);
    return {
      kind: 'danger',
      text: reason === undefined ? check.headline.altered : `${credentials.headline.notRely} ${reason}`,
      ...sayClaim(findings),
    };
  }
  if (examined?.kind === 'altered')
    return { kind: 'danger', text: check.headline.altered, ...sayClaim(findings) };
  if (recorded && !recorded.verified && recorded.reason !== 'notRecorded' && recorded.reason !== 'onlyNamed')
    return { kind: 'danger', text: check.headline.refused };
  return undefined;
}

/** Returns a note with the name in a broken signature. The note says that this name is only a claim. */
function sayClaim({ examined, service }: Findings): { more?: string } {
  const { issuer, commonName } = service?.extraction?.unverifiedManifest?.signature ?? {};
  const read = examined?.kind === 'altered' ? examined.claimedSigner : undefined;
  const name = read ?? issuer ?? commonName ?? undefined;
  return name === undefined ? {} : { more: check.headline.claimed(name) };
}

function ofRecords({ recorded }: Findings): Headline | undefined {
  if (!recorded) return undefined;
  if (recorded.verified) {
    const told = nameAction(recorded.action, recorded.bundle.entities);
    return { kind: 'good', text: check.headline.known(told) };
  }
  return recorded.reason === 'onlyNamed' ? { kind: 'info', text: check.headline.onlyNamed } : undefined;
}

function ofPublic({ publicly }: Findings): Headline | undefined {
  const [facts] = publicly?.matches ?? [];
  return facts && { kind: 'good', text: check.headline.knownPublicly(describeOrigin(facts)) };
}

function ofCredentials({ examined, service }: Findings): Headline | undefined {
  const state = service?.extraction?.validation?.state;
  const display =
    service?.extraction?.display ?? (examined?.kind === 'unchanged' ? examined.display : undefined);
  if (!display) return undefined;
  return { kind: state === 'trusted' ? 'good' : 'info', text: sayStanding(display) };
}

function ofMatches({ service }: Findings): Headline | undefined {
  const verdict = service?.search?.verdict;
  if (verdict === 'auto') return { kind: 'info', text: check.headline.alike };
  return verdict === 'review' ? { kind: 'info', text: check.headline.perhapsAlike } : undefined;
}

function ofNothing({ digests, recorded, examined, service }: Findings): Headline | undefined {
  if (examined === undefined || recorded === undefined) return undefined;
  if (examined.kind === 'unsure' && service === undefined)
    return { kind: 'warning', text: check.headline.unsure };
  return {
    kind: 'warning',
    text: digests === undefined ? sayUnknown(recorded !== null) : sayNothing(recorded !== null, examined),
    more: recorded === null ? check.headline.nothingPublicMeans : check.headline.nothingMeans,
  };
}

/**
 * Says that nothing is known about a file that the page does not have. `isProject`: the page has searched a project.
 */
function sayUnknown(isProject: boolean): string {
  return isProject ? check.known.none : check.known.nonePublic;
}

/** Says that nothing is known about a file. `isBrief`: the page has searched a project, so a short text is enough. */
function sayNothing(isBrief: boolean, { kind }: Examined): string {
  if (isBrief) return check.headline.nothing;
  return kind === 'none' ? check.headline.nothingPublic : check.headline.nothingReadable;
}
