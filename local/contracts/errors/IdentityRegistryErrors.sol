// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

// The deployed registry reverts with texts, so these are texts and no custom errors.
string constant NOT_AUTHORIZED = "Not authorized";
