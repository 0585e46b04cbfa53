import { textsOf } from '../languages/texts.js';

export const detector = textsOf('detector', {
  title: 'Check with the public detector',
  offer:
    'The public detector also looks for watermarks and for published content that this file resembles. Your browser sends the whole file; the service does not store it.',
  tooLarge: (size: string, most: string) =>
    `This file (${size}) is larger than the limit of the public detector (${most}).`,
  ask: 'Check with the detector',
  askMember: 'Look for watermarks with the public detector',
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
  none: 'No mark of a project that takes part in this detector was found. A project takes part if it lets everybody search with the detector. This does not show that people made the content.',
  /**
   * `copy`: a watermark and the fingerprint lead to the content. `agreed`: a watermark and another layer lead to it.
   */
  headline: {
    same: 'Exactly this file is published.',
    source: 'A published file was made from this file.',
    similar:
      'This file resembles a published file. It can be an altered copy of it, its source or another version.',
    review: 'This file perhaps resembles a published file. A person should compare both.',
    points:
      'A watermark in this file points to a published file. A watermark can be copied to other files, so it proves no origin.',
    agreed: 'A watermark and another mark of this file lead to the same published file.',
    copy: 'This is probably an altered copy of a published file.',
    contradicted:
      'A watermark in this file points to a published file, but the Content Credentials of this file contradict it. The watermark can be a copy, so it proves no origin.',
  },
  /** Follows the headline. */
  publishedFile: {
    generated: 'The published file is AI-generated.',
    assisted: 'The published file is AI-edited.',
    involved: 'The published file has AI in its history.',
    sources: 'The published file has AI in its sources.',
    human: 'The published file was made without AI, as its record states.',
    unstated: 'No AI is recorded for the published file.',
    withheld: 'The AI use of the published file is not disclosed.',
  },
  /** For a file that only resembles the published content, or is its source. */
  notOfYours: 'This need not be true of your file.',
  matches: {
    same: 'Exactly this file is published.',
    exact: 'The fingerprint of the file leads to published content.',
    source: 'The published content was made from this file.',
    similar:
      'The file resembles published content. It can be an altered copy of this content, its source or another version.',
    review:
      'The file perhaps resembles published content. It can be an altered copy of this content, its source, another version or other content. A person should compare both.',
    points:
      'A watermark in the file points to published content. Watermarks can be copied to other content, so a watermark proves no origin.',
    agreed: 'A watermark in the file points to published content, and another layer agrees.',
    contradicted:
      'A watermark in the file points to published content, but the Content Credentials of the file name another watermark. The watermark can be a copy, so it proves no origin.',
  },
  /** The text of a finding `agreed`, if the page knows the other layer. */
  agreedBy: (layer: string) =>
    `A watermark in the file points to published content, and this layer agrees: ${layer}.`,
  manifestStates: (what: string) => `The Content Credentials state: ${what}.`,
  historyStates: (what: string) => `The published history states: ${what}.`,
  /** For a file that only resembles the published content, or is its source. */
  historyStatesOfOther: (what: string) =>
    `The published history states for the published content, not for this file: ${what}.`,
  /** The words for a use of AI are in `aiLevels`. */
  statements: {
    human: 'AI took no part in making the content',
    unstated: 'nothing about AI',
  },
  historyWithholds: 'The published history withholds whether AI took part.',
  meanings: {
    'manifest high': 'The file is unchanged since its signer signed it, and this service trusts the signer.',
    'manifest medium':
      'The file is unchanged since its signer signed it, but this service does not trust the signer.',
    'manifest low':
      'The file was changed after it was signed, or the signature is invalid. So the Content Credentials prove nothing about the file.',
    'log high': 'The file has exactly the published bytes.',
    'fingerprint medium':
      'The fingerprints match. They do not show how the two files differ, or which of them was made from the other.',
    'fingerprint low':
      'The fingerprints match only in part. The file can also be other content that looks, sounds or reads alike.',
    'watermark medium': 'The watermark is not the only mark that leads to the published content.',
    'watermark low':
      'Only the watermark leads to the published content, and everybody can copy a watermark to other content.',
  },
  meansSource: 'The published history names exactly the bytes of this file as a source.',
  ofPublished: 'About the published content:',
  makers: 'By',
  unnamed: (role: string) => `${role}, name not published`,
  tool: 'Made with',
  signedBy: 'Signed by',
  recordedAt: 'Recorded',
  history: (title: string | null) =>
    title === null ? 'See the published history' : `See the published history: ${title}`,
  unchecked: (layer: string) => `${layer} not checked.`,
  reasons: {
    unsupported: 'The service does not check this in files of this type.',
    tooLarge: 'The file is too large for this check.',
    tooLittle: 'The file has too little content for a comparison.',
    unreadable: 'The service could not read the file. It is perhaps damaged.',
    elsewhere: 'The file has its Content Credentials at another place, and the service does not fetch them.',
    noEngine: 'This service cannot read Content Credentials at the moment.',
    someProjects: 'The search covered only some of the projects.',
    failed: 'The check failed. Try again later.',
  },
  report: 'Save the signed report',
  noReport: 'The service has no key, so it does not sign this report.',
});
