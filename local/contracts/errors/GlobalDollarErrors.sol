// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

error ContractPaused();
error AddressFrozen();
error ZeroAddress();
error InsufficientFunds();
error InsufficientAllowance();
error FacetNotFound();
error NotIssuer();

// Of signatures (EIP-2612, EIP-3009).
error InvalidSignature();
error PermitExpired();
error AuthorizationInvalid();
error AuthorizationExpired();
error CallerMustBePayee();
error ArgumentLengthMismatch();

// Of the older form's signatures only.
error InvalidValueS();
error InvalidECRecoverSignature();
