import type { MarkedContent, ReportedLayer } from '@colophon/model';
import { IMAGE_MARK_METHOD } from '../../search/image-mark.js';
import type { MarkFacts, MarkRow } from './marks.sql.js';

/** Returns the state of each layer of a marked content, in the order of `POST /v1/mark`. */
export function toLayers(facts: MarkFacts, isSigned: boolean): ReportedLayer[] {
  const { hasManifest, hasWatermark, fingerprint, fingerprintMethod } = facts;
  return [
    toLayer('manifest', hasManifest, 'c2pa'),
    { kind: 'fingerprint', state: fingerprint, method: fingerprintMethod },
    toLayer('log', isSigned, 'rfc6962'),
    toLayer('watermark', hasWatermark, IMAGE_MARK_METHOD),
  ];
}

function toLayer(kind: ReportedLayer['kind'], isAdded: boolean, method: string): ReportedLayer {
  return isAdded ? { kind, state: 'added', method } : { kind, state: 'unavailable', method: null };
}

export function toMarkedContent(row: MarkRow, isSigned: boolean): MarkedContent {
  const { cid, id: actionId, at, performedBy, type, mimeType, aiDisclosure } = row;
  return {
    ...{ cid, actionId, recordedAt: toMilliseconds(at), performedBy, type, mimeType, aiDisclosure },
    layers: toLayers(row, isSigned),
    receiptUrl: `/v1/action/${actionId}/receipt`,
  };
}

/** `2026-08-02T09:30:00.123456Z` -> `2026-08-02T09:30:00.123Z`. */
function toMilliseconds(at: string): string {
  return `${at.slice(0, 23)}Z`;
}
