import { textsOf } from '../languages/texts.js';

export const pinning = textsOf('pinning', {
  title: 'Pinning',
  why: 'Pinning stores copies of recorded files on the IPFS network, where everybody can read them. Changes apply to new records and to copies that are not made yet.',
  state: 'New files',
  states: {
    default: 'Default of this service',
    ipfs: 'Pinned',
    local: 'Not pinned',
  },
  provider: 'Pinning service',
  providers: { none: 'Pinning service of the operator', pinata: 'Pinata', kubo: 'Your Kubo node' },
  token: 'Token',
  tokenSet: 'Stored; nobody can read it here',
  tokenAbsent: 'None',
  tokenHints: {
    pinata: 'The JWT of your Pinata account. The service stores it encrypted.',
    kubo: 'The bearer token of the node, if it needs one. The service stores it encrypted.',
  },
  tokenKept: 'A token is stored. Leave this empty to keep it.',
  tokenElsewhere:
    'The stored token belongs to another pinning service, so the service deletes it when you save.',
  address: 'Address',
  addressHints: {
    pinata: 'Your gateway, such as https://name.mypinata.cloud. Leave this empty for none.',
    kubo: 'The RPC of the node, without /api/v0. Every member of the organisation sees this address.',
  },
  save: 'Save the pinning settings',
  saved: 'Saved.',
  remove: 'Remove the pinning service',
  removeTitle: 'Remove your pinning service',
  removeHelp:
    'The service forgets the address and the token. Existing copies stay. Without a pinning service of your own, the pinning service of the operator applies, if there is one.',
});
