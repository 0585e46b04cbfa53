import { type PublicationRequest, WITHHOLDABLE } from '@colophon/model';

const DAY_MS = 86_400_000;

/** Reads the form of the dialog. It selects what to show; the request names what to leave out. */
export function toPublication(cid: string, form: FormData, now = Date.now()): PublicationRequest {
  const title = String(form.get('title') ?? '').trim();
  const days = Number(form.get('days') ?? 0);
  const people = form.get('people');
  const shown = [...form.getAll('show'), ...(people === 'names' ? ['names'] : [])];
  return {
    cid,
    withhold: WITHHOLDABLE.filter((thing) => !shown.includes(thing)),
    ...(title === '' ? {} : { title }),
    ...(form.get('titles') === null ? {} : { titles: true }),
    ...(form.get('picture') === null ? {} : { picture: true }),
    ...(people === 'pseudonyms' ? { hiddenEntities: 'all' } : {}),
    ...(days > 0 ? { expiresAt: new Date(now + days * DAY_MS).toISOString() } : {}),
  };
}
