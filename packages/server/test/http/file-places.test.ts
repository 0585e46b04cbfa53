import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../src/errors.js';
import { createFilePlaces } from '../../src/http/handlers/file-places.js';

/** `cuts` gets the name and the error code when the service stops the arrival of a file. */
function takeOf(places: ReturnType<typeof createFilePlaces>, cuts: string[]) {
  return (name: string) => places.take(({ code }: ServiceError) => void cuts.push(`${name}: ${code}`));
}

describe('the places for files of the detector', () => {
  it('a further file takes the place of the oldest file that arrives slowly', () => {
    const cuts: string[] = [];
    const take = takeOf(createFilePlaces({ places: 3, slowMs: 0 }), cuts);
    take('examined').arrived();
    take('older');
    take('newer');
    take('first');
    take('second');
    expect(cuts).toEqual(['older: Timeout', 'newer: Timeout']);
  });

  it('a further file is refused while no file arrives slowly, until a file ends', () => {
    const cuts: string[] = [];
    const take = takeOf(createFilePlaces({ places: 2, slowMs: 60_000 }), cuts);
    const examined = take('examined');
    examined.arrived();
    take('arriving');
    expect(() => take('further')).toThrow(/too many other files/);
    examined.end();
    take('further');
    expect(cuts).toEqual([]);
  });

  it('a file whose upload was stopped still counts until its `end` is called', () => {
    const take = takeOf(createFilePlaces({ places: 1, slowMs: 0 }), []);
    const cut = take('cut');
    const further = take('further');
    further.arrived();
    cut.end();
    expect(() => take('another')).toThrow(/too many other files/);
    further.end();
    take('another');
  });
});
