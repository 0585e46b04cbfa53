import type { Client } from '@colophon/sdk';
import { useContext, useState } from 'react';
import { NEW_ME, recognise, useMe } from '../shell/use-me.js';
import { type Person, usePeople } from '../shell/use-people.js';
import { ThumbnailContext } from '../ui/thumbnail-loader.js';
import { changeDraft, type Draft, EMPTY, titleOfFile } from './draft.js';
import { type RecordedStep, toCorrectingDraft } from './recorded-step.js';
import { useRecorded } from './use-recorded.js';

/** The next recording begins with the last person, by project. */
const LAST_PEOPLE = new WeakMap<Client, Person>();

/** The draft begins with a file, with a recorded content, or with the values of the step that it corrects. */
export function useDraft(
  client: Client,
  content: Pick<Draft, 'file' | 'cid'>,
  step: RecordedStep | undefined,
) {
  const last = LAST_PEOPLE.get(client);
  const known = usePeople(client);
  const { me: user, lostId, remember: rememberMe } = useMe(client);
  const me = user && recognise(user, known);
  const people = withPerson(withPerson(withPerson(known, last), me), step?.performer);
  const [typed, setDraft] = useState<Draft>(() => ({
    ...EMPTY,
    ...content,
    title: titleOfFile(content.file),
    entityId: last?.id ?? me?.id ?? '',
    ...(step === undefined ? {} : toCorrectingDraft(step)),
  }));
  const { found, setRecorded } = useRecorded(client, typed.file ?? typed.cid);
  const isMe = typed.entityId === NEW_ME || (lostId !== undefined && typed.entityId === lostId);
  const { cid, isRecorded } = found;
  const draft = { ...typed, cid, isRecorded, ...(isMe ? { entityId: me?.id ?? NEW_ME } : {}) };
  const thumbnails = useContext(ThumbnailContext);
  const remember = (id: string) => {
    thumbnails?.forgetMisses();
    const byMe = draft.entityId === me?.id;
    if (byMe) rememberMe(id);
    const { role, name } = byMe ? me : draft;
    LAST_PEOPLE.set(client, people.find((person) => person.id === id) ?? { id, role, name: name?.trim() });
  };
  const roles = new Map(people.map(({ id, role }) => [id, role]));
  const change = (part: Partial<Draft>) => setDraft((before) => changeDraft(before, part, roles));
  return { draft, change, people, roles, me, last, remember, found, setRecorded };
}

function withPerson(people: Person[], person: Person | undefined): Person[] {
  if (person === undefined || people.some(({ id }) => id === person.id)) return people;
  return [person, ...people];
}
