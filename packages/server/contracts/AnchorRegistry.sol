// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// Says on the chain that a hash existed, and nothing else: it stores nothing, has no owner, takes no money and
/// cannot be changed. Anybody may call it; who did is in the event. The time is that of the block.
contract AnchorRegistry {
    /// `root` is the root over `size` heads of logs.
    event RootAnchored(bytes32 indexed root, address indexed by, uint64 size);

    /// `digest` is that of one record.
    event DigestAnchored(bytes32 indexed digest, address indexed by);

    function anchorRoot(bytes32 root, uint64 size) external {
        emit RootAnchored(root, msg.sender, size);
    }

    function anchorDigest(bytes32 digest) external {
        emit DigestAnchored(digest, msg.sender);
    }
}
