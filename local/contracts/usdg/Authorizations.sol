// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import "./Ledger.sol";

/// EIP-3009 as Paxos's source has it. A nonce that is spent makes no call fail: the call then emits
/// `AuthorizationAlreadyUsed`, moves nothing and succeeds. Both ends of the time are exclusive, in seconds.
abstract contract Authorizations is Signed {
    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationAlreadyUsed(address indexed authorizer, bytes32 indexed nonce);

    /// Whether a nonce is spent, by a transfer or by a cancellation.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool) {
        return spentNonces[authorizer][nonce];
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused {
        _transferSigned(
            Authorization(from, to, value, validAfter, validBefore, nonce), abi.encodePacked(r, s, v)
        );
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external newestFormOnly whenNotPaused {
        _transferSigned(Authorization(from, to, value, validAfter, validBefore, nonce), signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused {
        _receiveSigned(
            Authorization(from, to, value, validAfter, validBefore, nonce), abi.encodePacked(r, s, v)
        );
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external newestFormOnly whenNotPaused {
        _receiveSigned(Authorization(from, to, value, validAfter, validBefore, nonce), signature);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)
        external
        whenNotPaused
    {
        _cancelSigned(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature)
        external
        newestFormOnly
        whenNotPaused
    {
        _cancelSigned(authorizer, nonce, signature);
    }

    function _transferSigned(Authorization memory signed, bytes memory signature) private {
        _execute(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, signed, signature);
    }

    function _receiveSigned(Authorization memory signed, bytes memory signature) private {
        if (signed.to != msg.sender) revert CallerMustBePayee();
        _execute(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, signed, signature);
    }

    function _execute(bytes32 typeHash, Authorization memory signed, bytes memory signature) private {
        if (block.timestamp <= signed.validAfter) revert AuthorizationInvalid();
        if (block.timestamp >= signed.validBefore) revert AuthorizationExpired();
        if (_isSpent(signed.from, signed.nonce)) return;
        _requireSigned(signed.from, keccak256(abi.encode(typeHash, signed)), signature);
        spentNonces[signed.from][signed.nonce] = true;
        emit AuthorizationUsed(signed.from, signed.nonce);
        _move(signed.from, signed.to, signed.value);
    }

    function _cancelSigned(address authorizer, bytes32 nonce, bytes memory signature) private {
        _requireNotFrozen(authorizer);
        if (_isSpent(authorizer, nonce)) return;
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        _requireSigned(authorizer, structHash, signature);
        spentNonces[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _isSpent(address authorizer, bytes32 nonce) private returns (bool spent) {
        spent = spentNonces[authorizer][nonce];
        if (spent) emit AuthorizationAlreadyUsed(authorizer, nonce);
    }
}
