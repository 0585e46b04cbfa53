import { shell } from '../strings/shell.js';

/** Whether an address with this host works only on the computer of the service. */
export function isLocalHost(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}

/** A note for a link to share. Shows nothing if the address of the page works on other computers. */
export function LocalNote() {
  return isLocalHost(window.location.hostname) ? <p className="hint">{shell.localOnly}</p> : null;
}
