import { textsOf } from '../languages/texts.js';

export const detector = textsOf('detector', {
  title: 'Check with the public detector',
  offer:
    'The public detector also looks for watermarks and for published content that this file resembles. Your browser sends the whole file; the service does not store it.',
  tooLarge: (most: string) => `The public detector accepts files of at most ${most}.`,
  ask: 'Check with the detector',
  again: 'Check again',
  sending: 'Sending the file',
  waiting: 'The detector examines the file …',
  found: 'Layers that the detector found',
  kinds: {
    manifest: 'Content Credentials',
    fingerprint: 'Fingerprint',
    log: 'Published records',
    watermark: 'Watermark',
  },
  confidence: { high: 'high confidence', medium: 'medium confidence', low: 'low confidence' },
  makers: 'By',
  unnamed: (role: string) => `${role}, name not published`,
  tool: 'Made with',
  signedBy: 'Signed by',
  recordedAt: 'Recorded',
  history: (title: string | null) =>
    title === null ? 'See the published history' : `See the published history: ${title}`,
  unchecked: (layer: string, reason: string) => `${layer} not checked. ${reason}`,
  report: 'Save the signed report',
  noReport: 'The service has no key, so it does not sign this report.',
});
