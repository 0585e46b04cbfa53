import {
  type Display,
  type Manifest,
  type MediaExtraction,
  readFindingCode,
  visibleText,
} from '@colophon/model';
import { aiLevels } from '../strings/ai-levels.js';
import { check } from '../strings/check.js';
import { credentials } from '../strings/credentials.js';
import type { Detector } from './use-detector.js';

const text = credentials.headline;

/** Says who signed an unchanged file, with each problem as a further sentence. */
export function sayStanding({ facts, signedBy }: Display): string {
  const { isSignerTrusted, isPartlyProtected, identityDoubt, hasAlteredIngredient } = facts ?? {};
  const [named, unnamed] = isSignerTrusted
    ? [text.trusted, text.trustedUnnamed]
    : [text.unknown, text.unnamed];
  const sentences = [
    signedBy === null ? unnamed : named(signedBy),
    isPartlyProtected ? text.isPart : '',
    identityDoubt ? text[identityDoubt] : '',
    hasAlteredIngredient ? text.sourceAltered : '',
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Returns undefined if the service states no reason. */
export function sayReason(validation: MediaExtraction['validation']): string | undefined {
  return validation?.reason && credentials.reasons[validation.reason];
}

/** Returns, for example, `Created (AI-generated)`. */
export function sayStep(action: string, ai: Display['changes'][number]['ai']): string {
  const known: Readonly<Record<string, string>> = credentials.changes;
  const did = (Object.hasOwn(known, action) ? known[action] : undefined) ?? credentials.changed;
  return ai === undefined ? did : `${did} (${aiLevels[ai]})`;
}

/** Returns, for example, `Opened: “photo.jpg”`. The titles and the description are data of the file. */
export function sayChange(change: Display['changes'][number]): string {
  const { action, sources, moreSources, description, tool, ai } = change;
  const did = sayStep(action, ai);
  const names = sources.map((name) => credentials.quoted(name)).join(', ');
  const listed = moreSources === 0 ? names : `${names} ${credentials.more(moreSources)}`;
  const details = [listed, description ?? ''].filter(Boolean).join('. ');
  const sentence = details === '' ? did : `${did}: ${details}`;
  return tool === null ? sentence : `${sentence} (${tool})`;
}

export function sayIdentity({ commonName, issuer, state }: Manifest['identities'][number]): string {
  const name = visibleText(commonName ?? issuer ?? '');
  if (name === '') return credentials.identities.unnamed;
  return credentials.identities[state === 'trusted' || state === 'invalid' ? state : 'unconfirmed'](name);
}

/**
 * Says where to find out more about Content Credentials that this page cannot judge, or the result of the detector.
 * `isVisitor`: the page offers no check with the service.
 */
export function sayNext(
  { detection, isOffered }: Pick<Detector, 'detection' | 'isOffered'>,
  isVisitor: boolean,
): string {
  const { service, detector, detected } = check.credentials.next;
  if (detection === undefined) return isVisitor && isOffered ? detector : service;
  const manifest = detection.layers.find(({ kind }) => kind === 'manifest');
  const found = readFindingCode(manifest?.code);
  const state = found !== undefined && 'state' in found ? found.state : manifest?.state;
  if (state !== undefined) return detected(check.service.states[state]);
  const isChecked = detection.checks.some((one) => one.kind === 'manifest' && one.state === 'checked');
  return isChecked ? '' : service;
}
