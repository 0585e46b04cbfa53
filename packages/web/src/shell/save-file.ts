export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: name });
  link.click();
  // The browser may still read the file after the click returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
