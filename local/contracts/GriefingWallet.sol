// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

error AlreadyOwned();
error NotGrieferOwner();

/// The attacker of the tests; the devnet does not deploy it. It accepts every signature while it is simulated, and
/// burns all the gas that it is given once it is included. It works behind proxies, too.
contract GriefingWallet is IERC1271 {
    /// How the wallet tells inclusion from simulation. `Switch` is thrown by its owner in between.
    enum Tell {
        Never,
        GasPrice,
        GasLeft,
        Block,
        Switch
    }

    struct Habits {
        Tell tell;
        /// Below so much gas, or after so many blocks, the wallet takes itself to be included.
        uint256 mark;
        /// Gas that it uses in every simulation, so that it is given as much and more.
        uint256 appetite;
    }

    /// Part of the code, so that each deployment may have code of its own.
    uint256 public immutable salt;

    address public owner;
    bool public armed;
    Habits public habits;

    constructor(address walletOwner, Habits memory walletHabits, uint256 walletSalt) {
        owner = walletOwner;
        habits = walletHabits;
        salt = walletSalt;
    }

    /// Takes a proxy or a delegating account into possession, whose storage is empty.
    function initialize(address walletOwner, Habits calldata walletHabits) external {
        if (owner != address(0)) revert AlreadyOwned();
        owner = walletOwner;
        habits = walletHabits;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotGrieferOwner();
        _;
    }

    function setHabits(Habits calldata walletHabits) external onlyOwner {
        habits = walletHabits;
    }

    function arm(bool on) external onlyOwner {
        armed = on;
    }

    /// Calls `target` as the wallet.
    function execute(address target, bytes calldata data) external onlyOwner returns (bytes memory) {
        return Address.functionCall(target, data);
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        if (isIncluded()) {
            assembly {
                invalid()
            }
        }
        uint256 given = gasleft();
        while (given - gasleft() < habits.appetite) {}
        return IERC1271.isValidSignature.selector;
    }

    function isIncluded() private view returns (bool) {
        if (habits.tell == Tell.GasPrice) return tx.gasprice > 0;
        if (habits.tell == Tell.GasLeft) return gasleft() < habits.mark;
        if (habits.tell == Tell.Block) return block.number > habits.mark;
        if (habits.tell == Tell.Switch) return armed;
        return false;
    }
}
