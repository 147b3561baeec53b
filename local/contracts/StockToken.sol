// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

error InvalidMultiplier();
error NotIssuer();

/// A tokenized share, reached through a beacon proxy: name, symbol and issuer therefore come by `initialize`.
contract StockToken is ERC20, Initializable {
    string private _stockName;
    string private _stockSymbol;
    address public issuer;

    /// ERC-8056: shares a token, with 18 decimals. It scales what is shown, never what is held.
    uint256 public uiMultiplier;

    event UIMultiplierUpdated(uint256 oldMultiplier, uint256 newMultiplier, uint256 effectiveAtTimestamp);

    modifier onlyIssuer() {
        if (msg.sender != issuer) revert NotIssuer();
        _;
    }

    constructor() ERC20("", "") {
        _disableInitializers();
    }

    function initialize(string calldata stockName, string calldata stockSymbol, address stockIssuer)
        external
        initializer
    {
        _stockName = stockName;
        _stockSymbol = stockSymbol;
        issuer = stockIssuer;
        uiMultiplier = 1e18;
    }

    function name() public view override returns (string memory) {
        return _stockName;
    }

    function symbol() public view override returns (string memory) {
        return _stockSymbol;
    }

    function mint(address to, uint256 amount) external onlyIssuer {
        _mint(to, amount);
    }

    function setUiMultiplier(uint256 newMultiplier) external onlyIssuer {
        if (newMultiplier == 0) revert InvalidMultiplier();
        emit UIMultiplierUpdated(uiMultiplier, newMultiplier, block.timestamp);
        uiMultiplier = newMultiplier;
    }
}
