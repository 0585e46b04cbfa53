/** Saves a file as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  // Browsers may still read the file after the click returns, so the URL lives longer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
