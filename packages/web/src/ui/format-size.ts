const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size such as `1.4 MB`, in powers of 1000. */
export function formatSize(sizeBytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, sizeBytes)) / 3));
  const value = sizeBytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}
