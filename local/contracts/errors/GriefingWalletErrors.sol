// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

error AlreadyOwned();
error NotGrieferOwner();
