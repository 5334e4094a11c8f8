import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { withSourceLines } from '../../src/program/crash.ts';
import { bundle } from '../build.ts';
import { environment } from '../main/program.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { openPty } from './pty.ts';

/** Put into the program: notes when it takes the terminal, loads a library, draws, and from where it reads the rest. */
const noting = `const { appendFileSync } = require('node:fs');
const fs = require('node:fs');
const { openSync, readSync } = fs;
let rest;
fs.openSync = (file, ...given) => {
  const descriptor = openSync(file, ...given);
  if (/[/]rest-\\w+[.]js$/.test(file)) rest = descriptor;
  return descriptor;
};
fs.readSync = (descriptor, ...given) => {
  if (descriptor === rest) {
    rest = undefined;
    appendFileSync(process.env.NOTES, 'rest ' + new Error().stack.replaceAll('\\n', ' ') + '\\n');
  }
  return readSync(descriptor, ...given);
};
const { prototype } = require('node:tty').WriteStream;
const { write } = prototype;
prototype.write = function (text, ...given) {
  if (/Servers|Volumes|Home/.test(text)) appendFileSync(process.env.NOTES, 'frame\\n');
  if (text.includes('[?1004h')) appendFileSync(process.env.NOTES, 'terminal\\n');
  return write.call(this, text, ...given);
};
const { Instance } = WebAssembly;
WebAssembly.Instance = function (...given) {
  appendFileSync(process.env.NOTES, 'library\\n');
  return new Instance(...given);
};`;

// The trace names the module of the start that takes something; what it takes is to leave scripts/rest.txt.
test.for(['home', 'servers', 'volumes'])('%s are drawn before the rest of the program is read', async (area) => {
  const folder = temporaryFolder('start-reads');
  const [put, notes] = [join(folder, 'put.cjs'), join(folder, 'notes')];
  writeFileSync(put, noting);
  const env = environment(folder, { NOTES: notes });
  const pty = openPty(process.execPath, ['--require', put, bundle, '--demo', area], { env, columns: 160, rows: 50 });
  await vi.waitFor(() => expect(existsSync(notes) && readFileSync(notes, 'utf8')).toContain('rest '), {
    timeout: 30_000,
  });
  await pty.press('q');
  await pty.exit;
  const noted = readFileSync(notes, 'utf8').split('\n');
  const [first = ''] = noted.filter((note) => /^(?:rest|frame)/.test(note));
  expect(withSourceLines(first, dirname(bundle))).toBe('frame');
  // Keys that are typed while libraries are loaded are not echoed.
  expect(noted[0]).toBe('terminal');
  expect(noted).toContain('library');
});
