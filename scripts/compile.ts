/**
 * Writes the code that V8 compiles as a script of the bundle is loaded: `node scripts/compile.ts SCRIPT FILE`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { Script } from 'node:vm';

const [file = '', output = ''] = process.argv.slice(2);
// The name is in the code.
const filename = `/${basename(file)}`;
const script = new Script(readFileSync(file, 'latin1'), { filename });
const module = { exports: {} };
const own = createRequire(filename);
// The other script of the program gives nothing while one is loaded.
const require = (id: string) => (/^(?:start|rest):/.test(id) ? {} : own(id));
script.runInThisContext()(module.exports, require, module, filename, '/');
writeFileSync(output, script.createCachedData());
// A part that was loaded may hold the process open.
process.exit();
