// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import "./errors/GlobalDollarErrors.sol";

/// A stand-in for USDG: six decimals, and an issuer who mints, pauses everything and freezes accounts.
/// It offers neither EIP-2612 nor EIP-3009, on which the service must not depend.
contract GlobalDollar is ERC20, EIP712, Ownable {
    bool public paused;
    mapping(address account => bool) public isFrozen;

    event Pause();
    event Unpause();
    event FreezeAddress(address indexed account);
    event UnfreezeAddress(address indexed account);

    constructor(address issuer) ERC20("Global Dollar", "USDG") EIP712("Global Dollar", "1") Ownable(issuer) {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// Works while paused, as the issuer's supply control does.
    function mint(address to, uint256 amount) external onlyOwner {
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

    function approve(address spender, uint256 amount) public override returns (bool) {
        if (paused) revert ContractPaused();
        if (isFrozen[msg.sender] || isFrozen[spender]) revert AddressFrozen();
        return super.approve(spender, amount);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (isFrozen[msg.sender]) revert AddressFrozen();
        return super.transferFrom(from, to, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (paused && from != address(0)) revert ContractPaused();
        if (isFrozen[from] || isFrozen[to]) revert AddressFrozen();
        super._update(from, to, amount);
    }
}
