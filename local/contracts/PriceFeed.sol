// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

error NoSuchRound(uint80 roundId);
error PriceNotPositive();

/// A settable price in US dollars with Chainlink's AggregatorV3 interface and 8 decimals.
contract PriceFeed is Ownable {
    /// Feeds repeat an answer that has not changed. Here that happens by itself, so that a test chain needs no keeper.
    uint256 private constant HEARTBEAT = 1 hours;

    uint8 public constant decimals = 8;
    uint256 public constant version = 4;
    string public description;

    struct Round {
        int256 answer;
        uint256 updatedAt;
    }

    Round[] private _rounds;

    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    constructor(string memory pair, int256 answer, address keeper) Ownable(keeper) {
        description = pair;
        _append(answer);
    }

    function setAnswer(int256 answer) external onlyOwner {
        _append(answer);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        (uint80 roundId, int256 answer, uint256 since,,) = getRoundData(uint80(_rounds.length));
        uint256 repeatedAt = block.timestamp - (block.timestamp - since) % HEARTBEAT;
        return (roundId, answer, repeatedAt, repeatedAt, roundId);
    }

    /// Rounds count from 1.
    function getRoundData(uint80 roundId)
        public
        view
        returns (uint80, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)
    {
        if (roundId == 0 || roundId > _rounds.length) revert NoSuchRound(roundId);
        Round storage round = _rounds[roundId - 1];
        return (roundId, round.answer, round.updatedAt, round.updatedAt, roundId);
    }

    function _append(int256 answer) private {
        if (answer <= 0) revert PriceNotPositive();
        _rounds.push(Round(answer, block.timestamp));
        emit AnswerUpdated(answer, _rounds.length, block.timestamp);
    }
}
