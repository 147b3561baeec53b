// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Authorizations} from "./usdg/Authorizations.sol";
import {Permits} from "./usdg/Ledger.sol";

/// The facet of `GlobalDollar` with all that is done by signature. It runs on the token's storage and has none of its own.
contract GlobalDollarSignatures is Permits, Authorizations {
    constructor() ERC20("", "") EIP712("Global Dollar", "1") {}
}
