import { textsOf } from '../languages/texts.js';

export const badge = textsOf('badge', {
  label: 'Provenance of this picture',
  more: 'See the whole history',
  opens: '(opens in a new tab)',
  comparing: 'Comparing the picture with the published file …',
  same: 'The picture is exactly the published file.',
  other: 'The picture is not exactly the published file. It may have been resized or altered.',
  unknown: 'This page cannot check whether the picture is exactly the published file.',
});
