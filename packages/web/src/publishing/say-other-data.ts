import { type Bundle, isTermsAlone, LICENSE_EXTENSION } from '@colophon/model';
import { formatList } from '../languages/formats.js';
import { publish } from '../strings/publish.js';

/**
 * Names the data that a publication shows only with `details`: each extension of the history, and session ids. A
 * licence with nothing but its terms has its own checkbox.
 */
export function sayOtherData({ entities, actions, attributions, resources }: Bundle): string {
  const records = [...entities, ...actions, ...attributions, ...resources];
  const names = records.flatMap(({ extensions = {} }) => listOther(extensions).map(withoutVersion));
  const hasSessions = actions.some(({ sessionId }) => sessionId !== undefined);
  const found = [...new Set(names)].sort();
  if (hasSessions) found.push(publish.sessionIds);
  return found.length === 0 ? publish.noOtherData : publish.otherData(formatList(found));
}

function listOther(extensions: Record<string, unknown>): string[] {
  return Object.keys(extensions).filter((key) => key !== LICENSE_EXTENSION || !isTermsAlone(extensions[key]));
}

function withoutVersion(key: string): string {
  return key.replace(/@.*$/, '');
}
