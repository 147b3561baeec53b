// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import "../errors/GlobalDollarErrors.sol";
import {Signed} from "./Signed.sol";

/// EIP-2612 as Paxos's source has it. The deadline is the last second in which a permit counts.
abstract contract Permits is Signed {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function nonces(address owner) external view returns (uint256) {
        return permitNonces[owner];
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused {
        _permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature)
        external
        newestFormOnly
        whenNotPaused
    {
        _permit(owner, spender, value, deadline, signature);
    }

    function _permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) private {
        if (owner == address(0) || spender == address(0)) revert ZeroAddress();
        if (deadline < block.timestamp) revert PermitExpired();
        _requireNotFrozen(spender);
        _requireNotFrozen(owner);
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, permitNonces[owner]++, deadline));
        _requireSigned(owner, structHash, signature);
        _approve(owner, spender, value);
    }
}
