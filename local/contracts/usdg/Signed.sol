// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import "../errors/GlobalDollarErrors.sol";
import {Ledger} from "./Ledger.sol";

/// What EIP-2612 and EIP-3009 share: when a signature is good.
abstract contract Signed is Ledger, EIP712 {
    /// For functions that the older form does not have.
    modifier newestFormOnly() {
        if (olderForm) revert FacetNotFound();
        _;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// Paxos's source does not tell its domain (EIP-5267): whoever needs it has to know it.
    function eip712Domain()
        public
        pure
        override
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        revert FacetNotFound();
    }

    /// Reverts unless `signer` has signed. An account with code that signs as a plain account is taken, too (EIP-7702).
    function _requireSigned(address signer, bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = _hashTypedDataV4(structHash);
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        bool plain = failure == ECDSA.RecoverError.NoError && recovered == signer;
        if (olderForm) {
            if (failure == ECDSA.RecoverError.InvalidSignatureS) revert InvalidValueS();
            if (failure != ECDSA.RecoverError.NoError) revert InvalidECRecoverSignature();
            if (!plain) revert InvalidSignature();
        } else if (!plain && !SignatureChecker.isValidERC1271SignatureNow(signer, digest, signature)) {
            revert InvalidSignature();
        }
    }
}
