// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import "./usdg/Ledger.sol";

/// A stand-in for USDG: six decimals, transfers and approvals by signature (EIP-3009, EIP-2612), and an issuer who
/// mints, pauses everything and freezes accounts. It refuses what Paxos's source refuses, with the same errors, and stands
/// as that does, so that it takes as much gas: behind a proxy, with all that is signed in a facet (EIP-2535).
contract GlobalDollar is Ledger, Initializable {
    address public issuer;

    event Pause();
    event Unpause();
    event FreezeAddress(address indexed account);
    event UnfreezeAddress(address indexed account);

    modifier onlyIssuer() {
        if (msg.sender != issuer) revert NotIssuer();
        _;
    }

    constructor() ERC20("", "") {
        _disableInitializers();
    }

    function initialize(address tokenIssuer, address facet, bytes4[] calldata selectors) external initializer {
        issuer = tokenIssuer;
        for (uint256 i = 0; i < selectors.length; i++) {
            facets[selectors[i]] = facet;
        }
    }

    /// Has the facet run the call on this storage.
    fallback() external {
        address facet = facets[msg.sig];
        if (facet == address(0)) revert FacetNotFound();
        (bool success, bytes memory answer) = facet.delegatecall(msg.data);
        assembly {
            if success { return(add(answer, 32), mload(answer)) }
            revert(add(answer, 32), mload(answer))
        }
    }

    /// Works while paused, as the issuer's supply control does.
    function mint(address to, uint256 amount) external onlyIssuer {
        _requireNotFrozen(to);
        _mint(to, amount);
    }

    function pause() external onlyIssuer {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyIssuer {
        paused = false;
        emit Unpause();
    }

    function freeze(address account) external onlyIssuer {
        isFrozen[account] = true;
        emit FreezeAddress(account);
    }

    function unfreeze(address account) external onlyIssuer {
        isFrozen[account] = false;
        emit UnfreezeAddress(account);
    }

    /// Only here: turns the token into the older form of the source, or back.
    function setOlderForm(bool older) external onlyIssuer {
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
}
