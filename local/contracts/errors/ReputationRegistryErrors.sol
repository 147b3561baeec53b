// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

// The deployed registry reverts with texts, so these are texts and no custom errors.
string constant SELF_FEEDBACK = "Self-feedback not allowed";
string constant TOO_MANY_DECIMALS = "too many decimals";
string constant VALUE_TOO_LARGE = "value too large";
