// Made from contracts/AnchorRegistry.sol by scripts/compile-contract.mjs with solc 0.8.28+commit.7893614a.Emscripten.clang.
export const REGISTRY_ABI = [
  {
    anonymous: false,
    inputs: [
      { indexed: true, internalType: 'bytes32', name: 'digest', type: 'bytes32' },
      { indexed: true, internalType: 'address', name: 'by', type: 'address' },
    ],
    name: 'DigestAnchored',
    type: 'event',
  },
  {
    anonymous: false,
    inputs: [
      { indexed: true, internalType: 'bytes32', name: 'root', type: 'bytes32' },
      { indexed: true, internalType: 'address', name: 'by', type: 'address' },
      { indexed: false, internalType: 'uint64', name: 'size', type: 'uint64' },
    ],
    name: 'RootAnchored',
    type: 'event',
  },
  {
    inputs: [{ internalType: 'bytes32', name: 'digest', type: 'bytes32' }],
    name: 'anchorDigest',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
  {
    inputs: [
      { internalType: 'bytes32', name: 'root', type: 'bytes32' },
      { internalType: 'uint64', name: 'size', type: 'uint64' },
    ],
    name: 'anchorRoot',
    outputs: [],
    stateMutability: 'nonpayable',
    type: 'function',
  },
] as const;

export const REGISTRY_BYTECODE =
  '0x6080604052348015600f57600080fd5b5061012e8061001f6000396000f3fe608060405234801561001057600080fd5b50600436106100365760003560e01c80635dda812e1461003b5780636b55c3df14610050575b600080fd5b61004e6100493660046100d8565b610063565b005b61004e61005e366004610115565b6100a8565b60405167ffffffffffffffff82168152339083907fdb96f57960f1a8d2f2350bb63e1e1664fc0c2d57304af37731bb95cf619e26cd9060200160405180910390a35050565b604051339082907fefe9cbdcc498cca929a44b91e65ae414e09ca71db5dff3130c4a5c8ca5cf67d290600090a350565b600080604083850312156100eb57600080fd5b82359150602083013567ffffffffffffffff8116811461010a57600080fd5b809150509250929050565b60006020828403121561012757600080fd5b503591905056';
