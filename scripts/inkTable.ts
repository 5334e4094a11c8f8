/**
 * Turns the source of ink-table into an ES module: it is CommonJS and requires ink, whose top-level await forbids that.
 * The bundler and the test runner both use it.
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
