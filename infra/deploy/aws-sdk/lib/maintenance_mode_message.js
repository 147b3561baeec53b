module.exports = { suppress: true };
