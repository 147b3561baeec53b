// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ERC721Holder} from "@openzeppelin/contracts/token/ERC721/utils/ERC721Holder.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

error InvalidWalletOwner();
error NotWalletOwner();

/// The smallest smart-contract wallet: one key owns it, acts through it and signs for it (ERC-1271).
contract Wallet1271 is IERC1271, ERC721Holder {
    bytes4 private constant REFUSED = 0xffffffff;

    address public immutable owner;

    constructor(address walletOwner) {
        if (walletOwner == address(0)) revert InvalidWalletOwner();
        owner = walletOwner;
    }

    receive() external payable {}

    /// Calls `target` as the wallet. The target's own revert passes through.
    function execute(address target, uint256 value, bytes calldata data) external returns (bytes memory) {
        if (msg.sender != owner) revert NotWalletOwner();
        return Address.functionCallWithValue(target, data, value);
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError failure,) = ECDSA.tryRecover(hash, signature);
        bool valid = failure == ECDSA.RecoverError.NoError && signer == owner;
        return valid ? IERC1271.isValidSignature.selector : REFUSED;
    }
}
