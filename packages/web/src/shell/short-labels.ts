import { explore } from '../strings/explore.js';

const CID_END = 8;

/** Returns `Generated` for `generate`. Custom types keep their names. */
export function titleOfType(type: string): string {
  return explore.actionTypes[type] ?? type.replace(/^ext:/, '').replace(/@.*$/, '');
}

/** Returns the end of a CID. CIDs differ more at the end than at the start. */
export function shortCid(cid: string): string {
  return cid.length > CID_END + 2 ? `…${cid.slice(-CID_END)}` : cid;
}
