import { type Action, markedInput, namedCorrection } from '@colophon/model';
import { explore } from '../strings/explore.js';
import { factTexts } from '../strings/facts.js';
import type { Titles } from './use-titles.js';

const CID_END = 8;

/** Returns the label of an action type, such as `Generated`; for a custom type, its name without `ext:` and version. */
export function titleOfType(type: string): string {
  return explore.actionTypes[type] ?? type.replace(/^ext:/, '').replace(/@.*$/, '');
}

/** Returns the end of a CID. CIDs differ more at the end than at the start. */
export function shortCid(cid: string): string {
  return cid.length > CID_END + 2 ? `…${cid.slice(-CID_END)}` : cid;
}

/** Returns the title of a content with the end of its CID, since contents can have the same title. */
export function nameContent(cid: string, titles: Titles): string {
  const title = titles[cid];
  return title === undefined ? shortCid(cid) : `${title} (${shortCid(cid)})`;
}

/** Names an action together with its file, such as `Generated dawn.png` or `Marked copy: dawn-marked.png`. */
export function nameNewest(action: Action, file: string): string {
  if (namedCorrection(action) !== undefined) return `${explore.correction.fact}: ${file}`;
  if (markedInput(action) !== undefined) return `${factTexts.acts.marked}: ${file}`;
  return `${titleOfType(action.type)} ${file}`;
}
