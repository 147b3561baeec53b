// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

error InvalidPermit2Address();
error InvalidOwner();
error InvalidDestination();
error InvalidAmount();
error PaymentTooEarly();
