// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

error ContractPaused();
error AddressFrozen();
error ZeroAddress();
error InsufficientFunds();
error InsufficientAllowance();
error FacetNotFound();
error NotIssuer();

// Of signatures (EIP-2612, EIP-3009).
error InvalidSignature();
error PermitExpired();
error AuthorizationInvalid();
error AuthorizationExpired();
error CallerMustBePayee();

// Of the older form's signatures only.
error InvalidValueS();
error InvalidECRecoverSignature();

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

/// What EIP-2612 and EIP-3009 share: when a signature is good.
abstract contract Signed is Ledger, EIP712 {
    /// For functions that the older form does not have.
    modifier newestFormOnly() {
        if (olderForm) revert FacetNotFound();
        _;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// Paxos's source does not tell its domain (EIP-5267): a signer has to know it.
    function eip712Domain()
        public
        pure
        override
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        revert FacetNotFound();
    }

    /// Reverts unless `signer` has signed. An account with code that signs as a plain account is taken, too (EIP-7702).
    function _requireSigned(address signer, bytes32 structHash, bytes memory signature) internal view {
        bytes32 digest = _hashTypedDataV4(structHash);
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecover(digest, signature);
        bool plain = failure == ECDSA.RecoverError.NoError && recovered == signer;
        if (olderForm) {
            if (failure == ECDSA.RecoverError.InvalidSignatureS) revert InvalidValueS();
            if (failure != ECDSA.RecoverError.NoError) revert InvalidECRecoverSignature();
            if (!plain) revert InvalidSignature();
        } else if (!plain && !SignatureChecker.isValidERC1271SignatureNow(signer, digest, signature)) {
            revert InvalidSignature();
        }
    }
}

/// EIP-2612 as Paxos's source has it. The deadline is the last second in which a permit counts.
abstract contract Permits is Signed {
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function nonces(address owner) external view returns (uint256) {
        return permitNonces[owner];
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused {
        _permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature)
        external
        newestFormOnly
        whenNotPaused
    {
        _permit(owner, spender, value, deadline, signature);
    }

    function _permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes memory signature
    ) private {
        if (owner == address(0) || spender == address(0)) revert ZeroAddress();
        if (deadline < block.timestamp) revert PermitExpired();
        _requireNotFrozen(spender);
        _requireNotFrozen(owner);
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, permitNonces[owner]++, deadline));
        _requireSigned(owner, structHash, signature);
        _approve(owner, spender, value);
    }
}
