// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "../errors/GlobalDollarErrors.sol";

/// What USDG stores, and the rules of every transfer. The token and its facet share it, as facets do: both run on the
/// storage of the proxy before them, so that its order is the same in both.
abstract contract Ledger is ERC20 {
    bool public paused;
    /// Two forms of Paxos's source are deployed somewhere. The newest takes signatures of any length and asks contract
    /// wallets (ERC-1271); the older one takes v, r and s of plain accounts only.
    bool public olderForm;
    mapping(address account => bool) public isFrozen;
    mapping(address owner => uint256) internal permitNonces;
    mapping(address authorizer => mapping(bytes32 nonce => bool)) internal spentNonces;
    mapping(bytes4 selector => address) public facets;

    modifier whenNotPaused() {
        if (paused) revert ContractPaused();
        _;
    }

    function name() public pure override returns (string memory) {
        return "Global Dollar";
    }

    function symbol() public pure override returns (string memory) {
        return "USDG";
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _requireNotFrozen(address account) internal view {
        if (isFrozen[account]) revert AddressFrozen();
    }

    /// Moves the amount under the rules of every transfer, but for the pause.
    function _move(address from, address to, uint256 amount) internal {
        if (to == address(0)) revert ZeroAddress();
        _requireNotFrozen(to);
        _requireNotFrozen(from);
        if (amount > balanceOf(from)) revert InsufficientFunds();
        _transfer(from, to, amount);
    }
}
