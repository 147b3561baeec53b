// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

error NoSuchRound(uint80 roundId);
error PriceNotPositive();
