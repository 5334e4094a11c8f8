/**
 * ink-table is a CommonJS package that requires ink, and ink is an ES module with a top-level await, which cannot be required.
 * This turns its source into an ES module that imports what it required; the bundler and the test runner both use it.
 */
export function inkTableAsModule(source: string): string {
  return `import * as React from 'react';
import * as ink from 'ink';
import * as objectHash from 'object-hash';
const modules = { react: React, ink, 'object-hash': objectHash };
const exports = {};
const require = (name) => modules[name];
${source}
export default exports.default;
`;
}
