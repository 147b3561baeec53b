// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import "./errors/IdentityRegistryErrors.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";

/// ERC-8004 identities: an ERC-721 whose token URI is the agent's registration file. Ids start at 0.
contract IdentityRegistry is IIdentityRegistry, ERC721URIStorage {
    uint256 private _nextId;

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    constructor() ERC721("AgentIdentity", "AGENT") {}

    /// A contract that registers must accept ERC-721 tokens.
    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = _nextId++;
        _safeMint(msg.sender, agentId);
        _setTokenURI(agentId, agentURI);
        emit Registered(agentId, agentURI, msg.sender);
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external {
        require(isAuthorizedOrOwner(msg.sender, agentId), NOT_AUTHORIZED);
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    function isAuthorizedOrOwner(address spender, uint256 agentId) public view returns (bool) {
        return _isAuthorized(_requireOwned(agentId), spender, agentId);
    }
}
