// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import "./errors/GlobalDollarErrors.sol";
import {Authorizations} from "./usdg/Authorizations.sol";
import {Permits} from "./usdg/Permits.sol";
import {Signed} from "./usdg/Signed.sol";

/// A stand-in for USDG: six decimals, transfers and approvals by signature (EIP-3009, EIP-2612), and an issuer who
/// mints, pauses everything and freezes accounts. It refuses what Paxos's source refuses, with the same errors.
contract GlobalDollar is Permits, Authorizations, Ownable {
    bool public paused;
    mapping(address account => bool) public isFrozen;

    event Pause();
    event Unpause();
    event FreezeAddress(address indexed account);
    event UnfreezeAddress(address indexed account);

    constructor(address issuer) ERC20("Global Dollar", "USDG") EIP712("Global Dollar", "1") Ownable(issuer) {}

    /// The real token is a diamond (EIP-2535), which says so of what it does not have.
    fallback() external {
        revert FacetNotFound();
    }

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// Works while paused, as the issuer's supply control does.
    function mint(address to, uint256 amount) external onlyOwner {
        _requireNotFrozen(to);
        _mint(to, amount);
    }

    function pause() external onlyOwner {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyOwner {
        paused = false;
        emit Unpause();
    }

    function freeze(address account) external onlyOwner {
        isFrozen[account] = true;
        emit FreezeAddress(account);
    }

    function unfreeze(address account) external onlyOwner {
        isFrozen[account] = false;
        emit UnfreezeAddress(account);
    }

    /// Only here: turns the token into the older form of the source, or back.
    function setOlderForm(bool older) external onlyOwner {
        olderForm = older;
    }

    function approve(address spender, uint256 amount) public override whenNotPaused returns (bool) {
        if (spender == address(0)) revert ZeroAddress();
        _requireNotFrozen(spender);
        _requireNotFrozen(msg.sender);
        return super.approve(spender, amount);
    }

    function transfer(address to, uint256 amount) public override whenNotPaused returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    /// No allowance is infinite, not even the largest: every transfer takes from it.
    function transferFrom(address from, address to, uint256 amount) public override whenNotPaused returns (bool) {
        _requireNotFrozen(msg.sender);
        uint256 allowed = allowance(from, msg.sender);
        if (amount > allowed) revert InsufficientAllowance();
        _move(from, to, amount);
        _approve(from, msg.sender, allowed - amount, false);
        return true;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (to == address(0)) revert ZeroAddress();
        _requireNotFrozen(to);
        _requireNotFrozen(from);
        if (amount > balanceOf(from)) revert InsufficientFunds();
        _transfer(from, to, amount);
    }

    function _isPaused() internal view override returns (bool) {
        return paused;
    }

    function _requireNotFrozen(address account) internal view override {
        if (isFrozen[account]) revert AddressFrozen();
    }
}
