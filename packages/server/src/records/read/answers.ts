import { createHash, type Hash } from 'node:crypto';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.js';
import { shareQuestions } from '../../platform/db/wal-position.js';
import { cut, type JsonText, lengthOf } from '../../platform/json-text.js';
import { readRevisions } from '../../transparency-log/revisions.sql.js';
import { type Answer, createAnswerCache, MAX_KEPT_BYTES } from './answer-cache.js';

export interface Reading<Text extends JsonText = string> {
  /** Undefined when there is nothing to show. */
  text: Text | undefined;
  /** Undefined before the first change of the project, or when the text may mix several revisions. */
  revision: number | undefined;
}

/** Responses to reads, cached in memory until the project's revision changes. */
export interface Answers {
  /** `name` must contain every parameter of the result. The result is as recent as a read of the database. */
  answer(
    projectId: string,
    name: string,
    read: () => Promise<Reading<JsonText>>,
  ): Promise<Answer | undefined>;
  /** Returns an answer whose text comes from several statements. Reads the revision before it calls `make`. */
  answerOf(
    projectId: string,
    name: string,
    make: () => Promise<JsonText | undefined>,
  ): Promise<Answer | undefined>;
  /** `hits` and `misses` since the start; `bytes`: current size of the cache. */
  counts(): { hits: number; misses: number; bytes: number };
}

/** `capacityBytes`: limit over all projects. 0 disables the cache. */
export function createAnswers(reads: Queryable, capacityBytes: number): Answers {
  const kept = createAnswerCache(capacityBytes);
  const readRevision = shareRevisions(reads);
  const counted = { hits: 0, misses: 0 };
  const answers: Answers = {
    async answer(projectId, name, read) {
      const known = kept.find(projectId, name);
      if (known !== undefined) {
        const revision = await readRevision(projectId);
        if (revision === known.revision) {
          counted.hits++;
          return known;
        }
        if (revision !== undefined) kept.noteRevision(projectId, revision);
      }
      counted.misses++;
      const { text, revision } = await read();
      if (text === undefined) return undefined;
      const answer = await toAnswer(text);
      if (revision !== undefined) kept.keep({ projectId, name }, { ...answer, revision });
      return answer;
    },
    answerOf: (projectId, name, make) =>
      answers.answer(projectId, name, async () => {
        const revision = await readRevision(projectId);
        return { text: await make(), revision };
      }),
    counts: () => ({ ...counted, bytes: kept.bytes() }),
  };
  return answers;
}

/** Returns a strong ETag: the first 27 characters of the SHA-256 in base64url. */
export function toEtag(body: string | Buffer): string {
  return finishTag(createHash('sha256').update(body));
}

function finishTag(hash: Hash): string {
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Yields between the pieces of a long text. */
export async function toAnswer(text: JsonText): Promise<Answer> {
  const body = toBody(text);
  const hash = createHash('sha256');
  for (const [index, piece] of body.entries()) {
    if (index > 0) await letOthersRun();
    hash.update(piece);
  }
  return { body, etag: finishTag(hash) };
}

function toBody(text: JsonText): readonly Buffer[] {
  if (lengthOf(text) > MAX_KEPT_BYTES) return typeof text === 'string' ? cut(Buffer.from(text)) : text;
  return [typeof text === 'string' ? Buffer.from(text) : Buffer.concat(text)];
}

/** Calls that arrive during a query share the next query, for all their projects. */
function shareRevisions(reads: Queryable): (projectId: string) => Promise<number | undefined> {
  const asked = new Set<string>();
  const ask = shareQuestions(() => {
    const projectIds = [...asked];
    asked.clear();
    return readRevisions(reads, projectIds);
  });
  return async (projectId) => {
    asked.add(projectId);
    return (await ask()).get(projectId);
  };
}
