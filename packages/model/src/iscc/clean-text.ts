const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/u;
/** Unicode category C (Other), except line breaks. */
const DROPPED = /[^\P{C}\n\v\f\r\u0085]/gu;

/** Form NFKC, line breaks as `\n`, no other characters of category C, at most one empty line in a row, trimmed. */
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

export function joinLines(text: string): string {
  return text.trim().split(/\s+/u).join(' ');
}

/** The longest prefix of at most `maxBytes` bytes in UTF-8, trimmed. */
export function trimText(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(maxBytes);
  const { read } = new TextEncoder().encodeInto(text, bytes);
  return text.slice(0, read).trim();
}
