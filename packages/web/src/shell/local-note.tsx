import { shell } from '../strings/shell.js';

/** Whether the host works only on the computer of the service. */
export function isLocalHost(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname);
}

/** Shown beside a link to share. */
export function LocalNote() {
  return isLocalHost(window.location.hostname) ? <p className="hint">{shell.localOnly}</p> : null;
}
