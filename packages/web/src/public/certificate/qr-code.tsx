import { drawQr } from './draw-qr.js';

const QUIET_MODULES = 4;

/** Draws nothing for an address that is too long. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = drawQr(text);
  if (modules === undefined) return null;
  const size = modules.length + 2 * QUIET_MODULES;
  const dark = modules.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z`] : [])),
  );
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
