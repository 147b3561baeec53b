// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import "./errors/ReputationRegistryErrors.sol";
import {IIdentityRegistry} from "./interfaces/IIdentityRegistry.sol";

/// ERC-8004 feedback. A wallet may give any number of it and nothing checks payment; only those who act for the
/// agent are refused.
contract ReputationRegistry {
    uint8 private constant MAX_DECIMALS = 18;

    IIdentityRegistry private immutable IDENTITY;

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

    constructor(IIdentityRegistry identity) {
        IDENTITY = identity;
    }

    function getIdentityRegistry() external view returns (address) {
        return address(IDENTITY);
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
        require(!IDENTITY.isAuthorizedOrOwner(msg.sender, agentId), SELF_FEEDBACK);

        emit NewFeedback(
            agentId,
            msg.sender,
            ++getLastIndex[agentId][msg.sender],
            value,
            valueDecimals,
            tag1,
            tag1,
            tag2,
            endpoint,
            feedbackURI,
            feedbackHash
        );
    }
}
