const { TestEnvironment } = require('jest-environment-node');

// A process that ends by itself frees the memory of all its test files first, which takes longer than Jest waits. Work
// that a test has left behind still keeps it from ending.
process.once('beforeExit', () => process.exit());

/** Jest's own environment of a test. */
module.exports = TestEnvironment;
