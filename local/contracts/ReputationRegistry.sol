// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";

// The deployed registry reverts with texts, so these are texts and no custom errors.
string constant SELF_FEEDBACK = "Self-feedback not allowed";
string constant TOO_MANY_DECIMALS = "too many decimals";
string constant VALUE_TOO_LARGE = "value too large";

/// ERC-8004 feedback. A wallet may give any number of it and nothing checks payment; only those who act for the
/// agent are refused. It stands behind a proxy, and stores what the deployed registry stores: feedback takes as much gas.
contract ReputationRegistry is Initializable {
    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        string tag1;
        string tag2;
    }

    uint8 private constant MAX_DECIMALS = 18;
    int128 private constant MAX_VALUE = 1e38;

    IIdentityRegistry private _identity;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => Feedback))) private _feedback;
    mapping(uint256 agentId => address[]) private _clients;
    mapping(uint256 agentId => mapping(address client => bool)) private _hasSpoken;

    /// How often a client has spoken of an agent, which is also the index of the latest feedback.
    mapping(uint256 agentId => mapping(address client => uint64)) public getLastIndex;

    event NewFeedback(
        uint256 indexed agentId,
        address indexed clientAddress,
        uint64 feedbackIndex,
        int128 value,
        uint8 valueDecimals,
        string indexed indexedTag1,
        string tag1,
        string tag2,
        string endpoint,
        string feedbackURI,
        bytes32 feedbackHash
    );

    constructor() {
        _disableInitializers();
    }

    function initialize(IIdentityRegistry identity) external initializer {
        _identity = identity;
    }

    function getIdentityRegistry() external view returns (address) {
        return address(_identity);
    }

    /// Reverts for the owner, for an approved address or operator, and for an id that does not exist.
    function giveFeedback(
        uint256 agentId,
        int128 value,
        uint8 valueDecimals,
        string memory tag1,
        string memory tag2,
        string memory endpoint,
        string memory feedbackURI,
        bytes32 feedbackHash
    ) external {
        require(valueDecimals <= MAX_DECIMALS, TOO_MANY_DECIMALS);
        require(value >= -MAX_VALUE && value <= MAX_VALUE, VALUE_TOO_LARGE);
        require(!_identity.isAuthorizedOrOwner(msg.sender, agentId), SELF_FEEDBACK);

        uint64 index = ++getLastIndex[agentId][msg.sender];
        _store(agentId, index, Feedback(value, valueDecimals, false, tag1, tag2));
        emit NewFeedback(
            agentId, msg.sender, index, value, valueDecimals, tag1, tag1, tag2, endpoint, feedbackURI, feedbackHash
        );
    }

    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    function readFeedback(uint256 agentId, address client, uint64 index)
        external
        view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        Feedback storage given = _feedback[agentId][client][index];
        return (given.value, given.valueDecimals, given.tag1, given.tag2, given.isRevoked);
    }

    function _store(uint256 agentId, uint64 index, Feedback memory given) private {
        _feedback[agentId][msg.sender][index] = given;
        if (_hasSpoken[agentId][msg.sender]) return;
        _clients[agentId].push(msg.sender);
        _hasSpoken[agentId][msg.sender] = true;
    }
}
