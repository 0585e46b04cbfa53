// Makes a file of 10^5 boxes (ISO/IEC 14496-12 §4.2). The file is smaller than 1 MB, but occupies a media thread for a
// long time.
const BOXES = 100_000;

/** Returns a file with one box `ftyp` and 10^5 empty boxes `free`. */
export function makeBoxes() {
  const boxes = Buffer.alloc(16 + BOXES * 8);
  boxes.writeUInt32BE(16, 0);
  boxes.write('ftypisom', 4, 'latin1');
  for (let at = 16; at < boxes.length; at += 8) {
    boxes.writeUInt32BE(8, at);
    boxes.write('free', at + 4, 'latin1');
  }
  return boxes;
}
