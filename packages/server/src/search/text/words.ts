import { shortenMarkRuns } from '@colophon/model';

/** The words of a text: runs of letters and digits in lower case (Unicode NFKC). Other characters separate words. */
export interface Words {
  /** UTF-16 units of the words, with one space between two words. */
  units: Uint16Array;
  ends: Uint32Array;
}

const SPACE = 0x20;
/** 0 stands for each ASCII character that is neither a letter nor a digit. */
const LOWER = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** Reads the words of a text in UTF-8 or, with a byte order mark, UTF-16. */
export function readWords(bytes: Uint8Array): Words {
  return readAscii(bytes) ?? splitText(decodeText(bytes));
}

function readAscii(bytes: Uint8Array): Words | undefined {
  const words = createWords(bytes.length);
  for (let at = 0; at < bytes.length; at++) {
    const code = LOWER[bytes[at] ?? 0];
    if (code === undefined) return undefined;
    words.add(code);
  }
  return words.end();
}

/** Maximum length after normalisation, as a multiple of the length before. NFKC makes 18 letters of U+FDFA. */
const MAX_GROWTH = 2;

/** The only letters that NFKC replaces by combining characters: the half-width voicing signs of Japanese. */
const HALF_MARKS = /[\uff9e\uff9f]/g;
const toFullMark = (half: string) => (half === '\uff9e' ? '\u3099' : '\u309a');

function splitText(text: string): Words {
  const plain = shortenMarkRuns(text.replace(HALF_MARKS, toFullMark))
    .normalize('NFKC')
    .slice(0, MAX_GROWTH * text.length)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ');
  const words = createWords(plain.length);
  for (let at = 0; at < plain.length; at++) {
    const code = plain.charCodeAt(at);
    words.add(code === SPACE ? 0 : code);
  }
  return words.end();
}

/** The unit 0 ends a word. */
function createWords(most: number): { add(unit: number): void; end(): Words } {
  const units = new Uint16Array(most + 1);
  const ends = new Uint32Array((most >> 1) + 1);
  let length = 0;
  let count = 0;
  let isInWord = false;

  function endWord(): void {
    isInWord = false;
    ends[count++] = length;
    units[length++] = SPACE;
  }

  return {
    add(unit) {
      if (unit !== 0) {
        isInWord = true;
        units[length++] = unit;
      } else if (isInWord) endWord();
    },
    end() {
      if (isInWord) endWord();
      return { units: units.subarray(0, Math.max(0, length - 1)), ends: ends.subarray(0, count) };
    },
  };
}

/** UTF-16 needs a byte order mark (Unicode 16 §23.8). */
export function encodingOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Invalid bytes become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}
