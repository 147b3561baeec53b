// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";

// The deployed registry reverts with texts, so these are texts and no custom errors.
string constant NOT_AUTHORIZED = "Not authorized";

/// ERC-8004 identities: an ERC-721 whose token URI is the agent's registration file. Ids start at 0. It stands behind a
/// proxy, and stores what the deployed registry stores: a mint takes as much gas.
contract IdentityRegistry is IIdentityRegistry, ERC721URIStorage, Initializable {
    string private constant AGENT_WALLET = "agentWallet";

    uint256 private _nextId;
    mapping(uint256 agentId => mapping(string key => bytes)) private _metadata;

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );

    constructor() ERC721("", "") {
        _disableInitializers();
    }

    /// Its names are constants: there is nothing to fill in, but no proxy comes up without being initialized.
    function initialize() external initializer {}

    function name() public pure override returns (string memory) {
        return "AgentIdentity";
    }

    function symbol() public pure override returns (string memory) {
        return "AGENT";
    }

    /// A contract that registers must accept ERC-721 tokens.
    function register(string calldata agentURI) external returns (uint256 agentId) {
        agentId = _nextId++;
        _metadata[agentId][AGENT_WALLET] = abi.encodePacked(msg.sender);
        _safeMint(msg.sender, agentId);
        _setTokenURI(agentId, agentURI);
        emit Registered(agentId, agentURI, msg.sender);
        emit MetadataSet(agentId, AGENT_WALLET, AGENT_WALLET, abi.encodePacked(msg.sender));
    }

    function setAgentURI(uint256 agentId, string calldata newURI) external {
        require(isAuthorizedOrOwner(msg.sender, agentId), NOT_AUTHORIZED);
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// Whom an agent is paid by its registration: who registered it, and nobody once it has been sold.
    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(_metadata[agentId][AGENT_WALLET]));
    }

    function isAuthorizedOrOwner(address spender, uint256 agentId) public view returns (bool) {
        return _isAuthorized(_requireOwned(agentId), spender, agentId);
    }

    function _update(address to, uint256 agentId, address auth) internal override returns (address) {
        if (_ownerOf(agentId) != address(0) && to != address(0)) {
            _metadata[agentId][AGENT_WALLET] = "";
            emit MetadataSet(agentId, AGENT_WALLET, AGENT_WALLET, "");
        }
        return super._update(to, agentId, auth);
    }
}
