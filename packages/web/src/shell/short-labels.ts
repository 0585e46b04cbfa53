import { explore } from '../strings/explore.js';

const CID_END = 8;

/** The name of an action's type: `Generated` for `generate`, and own types by their own names. */
export function titleOfType(type: string): string {
  return explore.actionTypes[type] ?? type.replace(/^ext:/, '').replace(/@.*$/, '');
}

/** The end of a CID, which tells one from another better than its beginning. */
export function shortCid(cid: string): string {
  return cid.length > CID_END + 2 ? `…${cid.slice(-CID_END)}` : cid;
}
