const BOXES = 100_000;

/** Returns one box `ftyp` and 10^5 empty boxes `free` (ISO/IEC 14496-12 §4.2). */
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
