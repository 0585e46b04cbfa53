import type { PublicationRequest } from '@colophon/model';

const DAY_MS = 86_400_000;

export function toPublication(cid: string, form: FormData, now = Date.now()): PublicationRequest {
  const title = String(form.get('title') ?? '').trim();
  const days = Number(form.get('days') ?? 0);
  return {
    cid,
    withhold: form.getAll('withhold').map(String) as NonNullable<PublicationRequest['withhold']>,
    ...(title === '' ? {} : { title }),
    ...(form.get('titles') === null ? {} : { titles: true }),
    ...(form.get('picture') === null ? {} : { picture: true }),
    ...(form.get('hideAll') === null ? {} : { hiddenEntities: 'all' }),
    ...(days > 0 ? { expiresAt: new Date(now + days * DAY_MS).toISOString() } : {}),
  };
}
