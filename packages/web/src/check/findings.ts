import {
  type ContentDigests,
  correctedActions,
  type Detection,
  type MediaExtraction,
  type PublicCheck,
  type SearchResult,
  withSources,
} from '@colophon/model';
import type { FileVerdict } from '@colophon/sdk';
import { nameAction } from '../shell/name-action.js';
import type { Titles } from '../shell/use-titles.js';
import { check } from '../strings/check.js';
import { credentials } from '../strings/credentials.js';
import type { Examined } from './credentials/examine.js';
import { sayMakersOf } from './recorded-makers.js';
import { sayReason, sayStanding } from './say-credentials.js';
import { isMoreThanAlike, isPublished, sayResult } from './say-detection.js';
import { othersOf, sayMatches } from './say-matches.js';

/** A member is null when the service does not support this file. */
export interface ServiceFindings {
  extraction: MediaExtraction | null;
  search: SearchResult | null;
}

/** A member is undefined while its result is pending, or if the page has not requested it. */
export interface Findings {
  digests?: ContentDigests;
  /** Null when the page has no key. */
  recorded?: FileVerdict | null;
  /** Requested only when the page has no key. */
  publicly?: PublicCheck;
  examined?: Examined;
  service?: ServiceFindings;
  detection?: Detection;
  /** Titles of the similar contents, by CID. */
  titles?: Titles;
}

export interface Headline {
  kind: 'good' | 'info' | 'warning' | 'danger';
  text: string;
  more?: string;
  /** The page looked only for exact copies, and an altered copy may be recorded. */
  isExactOnly?: true;
  /** `text` is the result of the public detector, and also states the level of AI. */
  isDetected?: true;
}

export interface LinkedPublication {
  path: string;
  title: string | null;
}

const MAX_LINKS = 5;

/** Returns at most `MAX_LINKS` publications, each once. Omits those that the detector found with low confidence. */
export function publicationsOf({ publicly, detection }: Findings): LinkedPublication[] {
  const detected = (detection?.layers ?? []).flatMap(({ publication, confidence }) =>
    publication === undefined || confidence === 'low' ? [] : [publication],
  );
  const all = [...(publicly?.publications ?? []), ...detected];
  return [...new Map(all.map(({ path, title }) => [path, { path, title }])).values()].slice(0, MAX_LINKS);
}

/**
 * Whether the records of a file say that it was made from `cid`, in one or more steps. Corrected entries do not count.
 */
export function isMadeFrom({ digests, recorded }: Findings, cid: string | undefined): boolean {
  if (!recorded?.verified || cid === undefined || cid === digests?.cid) return false;
  const { cid: own, actions, aliases = {} } = recorded.bundle;
  const corrected = correctedActions(actions, aliases);
  const canonical = (name: string) => aliases[name] ?? name;
  const steps = actions
    .filter(({ id }) => !corrected.has(id))
    .map(({ inputCids, outputCids }) => ({
      inputs: inputCids.map(canonical),
      outputs: outputCids.map(canonical),
    }));
  return canonical(cid) !== own && withSources([own], steps).has(canonical(cid));
}

/** Returns the headline for a problem, or else for the most certain finding. */
export function headlineOf(findings: Findings): Headline | undefined {
  return (
    ofFault(findings) ??
    ofRecords(findings) ??
    ofPublic(findings) ??
    ofPublished(findings) ??
    ofCredentials(findings) ??
    ofCertainDetection(findings) ??
    ofMatches(findings) ??
    ofDetection(findings) ??
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

/** Says that the name in a broken signature is only a claim. */
function sayClaim({ examined, service }: Findings): { more?: string } {
  const { issuer, commonName } = service?.extraction?.unverifiedManifest?.signature ?? {};
  const read = examined?.kind === 'altered' ? examined.claimedSigner : undefined;
  const name = read ?? issuer ?? commonName ?? undefined;
  return name === undefined ? {} : { more: check.headline.claimed(name) };
}

function ofRecords({ recorded }: Findings): Headline | undefined {
  if (!recorded) return undefined;
  if (recorded.verified) {
    const { action, bundle } = recorded;
    const sentence = sayMakersOf(bundle) ?? nameAction(action, bundle);
    return { kind: 'good', text: check.headline.known(sentence) };
  }
  return recorded.reason === 'onlyNamed' ? { kind: 'info', text: check.headline.onlyNamed } : undefined;
}

function ofPublic({ publicly }: Findings): Headline | undefined {
  const isKnown = (publicly?.matches.length ?? 0) > 0;
  return isKnown ? { kind: 'good', text: check.headline.knownPublicly } : undefined;
}

/** Comes before the headline of the credentials, because their signer can be unknown. */
function ofPublished(findings: Findings): Headline | undefined {
  return isPublished(findings.detection) ? ofDetection(findings) : undefined;
}

function ofCredentials({ examined, service }: Findings): Headline | undefined {
  const state = service?.extraction?.validation?.state;
  const display =
    service?.extraction?.display ?? (examined?.kind === 'unchanged' ? examined.display : undefined);
  if (!display) return undefined;
  return { kind: state === 'trusted' ? 'good' : 'info', text: sayStanding(display) };
}

function ofMatches({ digests, service, titles = {} }: Findings): Headline | undefined {
  const { alike, alikeTitled, perhapsAlike, perhapsAlikeTitled } = check.headline;
  const search = service?.search ?? null;
  const title = titles[othersOf(search, digests?.cid)[0]?.cid ?? ''];
  switch (search?.verdict) {
    case 'auto':
      return { kind: 'info', text: title === undefined ? alike : alikeTitled(title) };
    case 'review':
      return { kind: 'info', text: title === undefined ? perhapsAlike : perhapsAlikeTitled(title) };
    default:
      return undefined;
  }
}

function ofDetection({ detection }: Findings): Headline | undefined {
  const [first] = detection?.layers ?? [];
  if (detection === undefined || first === undefined) return undefined;
  const isInvalid = first.kind === 'manifest' && first.confidence === 'low';
  return { kind: isInvalid ? 'danger' : 'info', text: sayResult(detection.layers), isDetected: true };
}

/** Comes before the headline of similar content in the records of the project. */
function ofCertainDetection(findings: Findings): Headline | undefined {
  return isMoreThanAlike(findings.detection) ? ofDetection(findings) : undefined;
}

function ofNothing({ digests, recorded, examined, service, detection }: Findings): Headline | undefined {
  if (examined === undefined || recorded === undefined) return undefined;
  if (examined.kind === 'unsure' && service === undefined)
    return { kind: 'warning', text: check.headline.unsure };
  const { exactOnly, nothingMeans, nothingPublicMeans } = check.headline;
  const kind = 'warning';
  const isProject = recorded !== null;
  const means = isProject ? nothingMeans : nothingPublicMeans;
  if (digests === undefined) return { kind, text: sayUnknown(isProject), more: means };
  if (service !== undefined) {
    const more = `${sayMatches(service.search, digests.cid)} ${means}`;
    return { kind, text: check.headline.nothing, more };
  }
  if (detection !== undefined && !isProject) return { kind, text: check.headline.nothing, more: means };
  const text = sayNothing(isProject, examined);
  return { kind, text, more: `${exactOnly} ${means}`, isExactOnly: true };
}

/** `isProject`: the page has searched a project. */
function sayUnknown(isProject: boolean): string {
  return isProject ? check.known.none : check.known.nonePublic;
}

/** `isProject`: the page has searched a project. */
function sayNothing(isProject: boolean, { kind }: Examined): string {
  if (isProject) return check.headline.notInProject;
  return kind === 'none' ? check.headline.nothingPublic : check.headline.nothingReadable;
}
