import { textsOf } from '../languages/texts.js';

const colours = 'Colours adjusted';
const resized = 'Resized';
const watermark = 'Marked with an invisible watermark';

export const credentials = textsOf('credentials', {
  headline: {
    trusted: (signer: string) => `Signed by ${signer} and unchanged since.`,
    trustedUnnamed: 'Signed by somebody who is not named, and unchanged since.',
    unknown: (signer: string) =>
      `Unchanged since it was signed, but it is not known who “${signer}” really is.`,
    unnamed: 'Unchanged since it was signed, but the signer is not named.',
    isPart: 'This applies only to the protected part of the file.',
    unconfirmed: 'An additional identity is not confirmed.',
    invalid: 'An additional identity is invalid.',
    sourceAltered: 'One of its source files was altered before it was used.',
    notRely: 'Do not rely on this file.',
  },
  reasons: {
    fileAltered: 'The file was altered after it was signed.',
    partsMoved:
      'The file was altered after it was signed: its parts are not where the signature expects them.',
    severalManifests: 'The file contains more than one set of Content Credentials, so none of them counts.',
    signatureMismatch: 'The signature does not match what was signed, so nobody vouches for this file.',
    unsigned: 'The Content Credentials of this file have no signature.',
    credentialsAltered: 'The Content Credentials of this file were altered or are incomplete.',
    certificateRevoked: 'The signer’s certificate was withdrawn, so the signature no longer counts.',
    certificateExpired:
      'The signer’s certificate was not valid when the file was signed, or it has expired and no time-stamp shows when the file was signed.',
    certificateUnfit: 'The signer’s certificate is not fit for signing Content Credentials.',
    ingredientMismatch: 'An earlier version or a part of this file does not match its record.',
    weakAlgorithm:
      'The file is signed with an algorithm that is not secure, or that the service does not know.',
    credentialsDamaged: 'The Content Credentials of this file are damaged and cannot be read.',
    fileDamaged: 'The file is damaged, so the service cannot check its Content Credentials.',
    remote:
      'The Content Credentials of this file are stored at another address, and the service does not fetch them.',
    unchecked: 'The Content Credentials of this file could not be checked.',
  },
  changes: {
    'c2pa.addedText': 'Text added',
    'c2pa.adjustedColor': colours,
    'c2pa.changedSpeed': 'Speed changed',
    'c2pa.color_adjusted': colours,
    'c2pa.color_adjustments': colours,
    'c2pa.converted': 'Converted to another format',
    'c2pa.created': 'Created',
    'c2pa.cropped': 'Cropped',
    'c2pa.deleted': 'Parts deleted',
    'c2pa.drawing': 'Drawn on',
    'c2pa.dubbed': 'Voice replaced',
    'c2pa.edited': 'Edited',
    'c2pa.edited.metadata': 'Description changed',
    'c2pa.enhanced': 'Enhanced',
    'c2pa.filtered': 'Filter applied',
    'c2pa.opened': 'Opened',
    'c2pa.orientation': 'Rotated or mirrored',
    'c2pa.placed': 'Other content placed in it',
    'c2pa.published': 'Published',
    'c2pa.redacted': 'Parts of the history removed',
    'c2pa.removed': 'Part removed',
    'c2pa.repackaged': 'Repackaged',
    'c2pa.resized': resized,
    'c2pa.resized.proportional': resized,
    'c2pa.transcoded': 'Converted to another encoding',
    'c2pa.translated': 'Translated',
    'c2pa.trimmed': 'Shortened',
    'c2pa.watermarked': watermark,
    'c2pa.watermarked.bound': watermark,
    'c2pa.watermarked.unbound': watermark,
  },
  changed: 'Changed; the file does not state how',
  quoted: (name: string) => `“${name}”`,
  more: (count: number) => `and ${count} more`,
  identities: {
    unnamed: 'Somebody who is not named',
    trusted: (name: string) => `${name}, whose identity is confirmed`,
    invalid: (name: string) => `“${name}”, but the check of this identity failed`,
    unconfirmed: (name: string) => `“${name}”, whose identity is not confirmed`,
  },
});
