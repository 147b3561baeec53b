// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/// What the reputation registry asks of the identity registry (ERC-8004).
interface IIdentityRegistry {
    /// Whether `spender` owns the agent or may act for its owner. Reverts for an id that does not exist.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
}
