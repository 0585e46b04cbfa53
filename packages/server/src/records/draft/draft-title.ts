import { toTitle } from '@colophon/model';
import type { RecordItem } from './record-item.js';

type UploadTitle = Pick<NonNullable<RecordItem['upload']>, 'title' | 'titleIsStated'>;

/** Returns the title of the request (null for none), or else the name of the file. */
export function draftTitle({
  title,
  fileName,
}: {
  title?: string | null | undefined;
  fileName?: string | undefined;
}): UploadTitle {
  if (title !== undefined) return { title, titleIsStated: true };
  const named = fileName === undefined ? undefined : toTitle(fileName);
  return named === undefined ? {} : { title: named };
}
