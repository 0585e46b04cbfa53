import { type Action, markedInput, namedCorrection } from '@colophon/model';
import { explore } from '../strings/explore.js';
import { factTexts } from '../strings/facts.js';
import type { Titles } from './use-titles.js';

const CID_END = 8;

/** A custom type gets its name without `ext:` and version. */
export function titleOfType(type: string): string {
  return explore.actionTypes[type] ?? type.replace(/^ext:/, '').replace(/@.*$/, '');
}

/** CIDs differ more at the end than at the start. */
export function shortCid(cid: string): string {
  return cid.length > CID_END + 2 ? `…${cid.slice(-CID_END)}` : cid;
}

/** Contents can have the same title. */
export function nameContent(cid: string, titles: Titles): string {
  const title = titles[cid];
  return title === undefined ? shortCid(cid) : `${title} (${shortCid(cid)})`;
}

/** Returns, for example, `Generated dawn.png` or `Marked copy: dawn-marked.png`. */
export function nameNewest(action: Action, file: string): string {
  if (namedCorrection(action) !== undefined) return `${explore.correction.fact}: ${file}`;
  if (markedInput(action) !== undefined) return `${factTexts.acts.marked}: ${file}`;
  return `${titleOfType(action.type)} ${file}`;
}
