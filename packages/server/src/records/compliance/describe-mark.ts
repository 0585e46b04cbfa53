import type { MarkedContent, ReportedLayer, UnmarkedContent } from '@colophon/model';
import { MAX_UNMARKED, type MarkFacts, type MarkRow, type UnmarkedRow } from './marks.sql.js';

/** Returns the layers in the order of the response of `POST /v1/mark`. */
export function toLayers(facts: Omit<MarkFacts, 'type'>, isSigned: boolean): ReportedLayer[] {
  const { hasManifest, watermarkMethod, fingerprint, fingerprintMethod } = facts;
  return [
    toLayer('manifest', hasManifest ? 'c2pa' : null),
    { kind: 'fingerprint', state: fingerprint, method: fingerprintMethod },
    toLayer('log', isSigned ? 'rfc6962' : null),
    toLayer('watermark', watermarkMethod),
  ];
}

function toLayer(kind: ReportedLayer['kind'], method: string | null): ReportedLayer {
  return { kind, state: method === null ? 'unavailable' : 'added', method };
}

export function toMarkedContent(row: MarkRow, isSigned: boolean): MarkedContent {
  const { cid, id: actionId, at, performedBy, type, mimeType, aiDisclosure } = row;
  return {
    ...{ cid, actionId, recordedAt: toMilliseconds(at), performedBy, type, mimeType, aiDisclosure },
    layers: toLayers(row, isSigned),
    receiptUrl: `/v1/action/${actionId}/receipt`,
  };
}

/** `rows` can name a content twice: for its AI tool and for its manifest. */
export function toUnmarkedContents(rows: readonly UnmarkedRow[]): UnmarkedContent[] {
  const byCid = new Map(rows.map((row) => [row.cid, row]));
  return [...byCid.values()]
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, MAX_UNMARKED)
    .map(({ id, at, markedCopy, ...content }) => ({
      ...{ ...content, actionId: id, recordedAt: toMilliseconds(at) },
      ...(markedCopy === null ? {} : { markedCopy }),
    }));
}

/** `2026-08-02T09:30:00.123456Z` -> `2026-08-02T09:30:00.123Z`. */
function toMilliseconds(at: string): string {
  return `${at.slice(0, 23)}Z`;
}
