import { type Bundle, isOfOtherChoice } from '@colophon/model';
import { formatList } from '../languages/formats.js';
import { publish } from '../strings/publish.js';

/** Names session ids, and each extension with data that no other checkbox shows. */
export function sayOtherData({ entities, actions, attributions, resources }: Bundle): string {
  const records: Extended[] = [...entities, ...actions, ...attributions, ...resources];
  const names = records.flatMap((record) => listOther(record).map(withoutVersion));
  const hasSessions = actions.some(({ sessionId }) => sessionId !== undefined);
  const found = [...new Set(names)].sort();
  if (hasSessions) found.push(publish.sessionIds);
  return found.length === 0 ? publish.noOtherData : publish.otherData(formatList(found));
}

interface Extended {
  extensions?: Record<string, unknown> | undefined;
  inputCids?: string[];
}

function listOther({ extensions = {}, inputCids }: Extended): string[] {
  return Object.keys(extensions).filter((key) => !isOfOtherChoice(key, extensions[key], inputCids));
}

function withoutVersion(key: string): string {
  return key.replace(/@.*$/, '');
}
