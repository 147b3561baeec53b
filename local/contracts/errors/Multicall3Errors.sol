// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

// Callers know these texts from the deployed contract, so they are texts and no custom errors.
string constant CALL_FAILED = "Multicall3: call failed";
string constant VALUE_MISMATCH = "Multicall3: value mismatch";
