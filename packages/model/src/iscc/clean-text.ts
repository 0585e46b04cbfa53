const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
/** Control characters that are no line breaks. */
const DROPPED = /[^\P{C}\n\v\f\r\u0085]/gu;

/** Returns text for display: form NFKC, no control characters, at most one empty line in a row. */
export function cleanText(text: string): string {
  const lines = text.normalize('NFKC').replace(DROPPED, '').split(LINE_BREAK);
  const isBlank = lines.map((line) => line.trim() === '');
  return lines
    .flatMap((line, at) => {
      if (!isBlank[at]) return [line];
      return at > 0 && isBlank[at - 1] ? [] : [''];
    })
    .join('\n')
    .trim();
}

/** Returns text on one line, with single spaces. */
export function joinLines(text: string): string {
  return text.trim().split(/\s+/u).join(' ');
}

/** Returns the longest start of text that has at most `maxBytes` bytes in UTF-8, without surrounding space. */
export function trimText(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read).trim();
}
