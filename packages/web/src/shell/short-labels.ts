import { explore } from '../strings/explore.js';

const CID_END = 8;

/** Returns the label of an action type, such as `Generated`; for a custom type, its name without `ext:` and version. */
export function titleOfType(type: string): string {
  return explore.actionTypes[type] ?? type.replace(/^ext:/, '').replace(/@.*$/, '');
}

/** Returns the end of a CID. CIDs differ more at the end than at the start. */
export function shortCid(cid: string): string {
  return cid.length > CID_END + 2 ? `…${cid.slice(-CID_END)}` : cid;
}
