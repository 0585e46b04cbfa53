/** Hands a file to the person, as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  // The browser has begun to read it when the click returns, but not all have finished.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
