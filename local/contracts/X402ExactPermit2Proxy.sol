// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {ISignatureTransfer} from "./interfaces/ISignatureTransfer.sol";

error InvalidPermit2Address();
error InvalidOwner();
error InvalidDestination();
error InvalidAmount();
error PaymentTooEarly();

/// Settles x402 payments of the scheme `exact` by Permit2. The payer signs the payee into the witness, so that
/// anybody may submit the permit, and the whole amount goes to that payee and nowhere else.
contract X402ExactPermit2Proxy is ReentrancyGuardTransient {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";
    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");

    ISignatureTransfer public immutable PERMIT2;

    /// Names nobody: a payment is recognised by the token's Transfer.
    event Settled();

    constructor(ISignatureTransfer permit2) {
        if (address(permit2) == address(0)) revert InvalidPermit2Address();
        PERMIT2 = permit2;
    }

    /// Moves the permitted amount from `owner` to `witness.to`. Times are in seconds.
    function settle(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external nonReentrant {
        if (owner == address(0)) revert InvalidOwner();
        if (witness.to == address(0)) revert InvalidDestination();
        if (permit.permitted.amount == 0) revert InvalidAmount();
        if (block.timestamp < witness.validAfter) revert PaymentTooEarly();

        PERMIT2.permitWitnessTransferFrom(
            permit,
            ISignatureTransfer.SignatureTransferDetails(witness.to, permit.permitted.amount),
            owner,
            keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.validAfter)),
            WITNESS_TYPE_STRING,
            signature
        );
        emit Settled();
    }
}
