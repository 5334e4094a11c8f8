import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStateFile } from '../../src/program/stateFile.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'state-file-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const stateDirectory = () => join(home, 'state', 'skydeck');

test('what is written is read again, by its owner only, and nothing is left beside it', () => {
  const stateFile = openStateFile(stateDirectory(), 'work');
  expect(stateFile.read()).toBeUndefined();
  stateFile.write('one');
  stateFile.write('two');
  expect(openStateFile(stateDirectory(), 'work').read()).toBe('two');
  expect(readdirSync(stateDirectory())).toEqual(['plan-work.json']);
  expect(statSync(join(stateDirectory(), 'plan-work.json')).mode & 0o777).toBe(0o600);
  expect(statSync(stateDirectory()).mode & 0o777).toBe(0o700);
});

test('each profile has its own, whatever it is called', () => {
  openStateFile(stateDirectory(), 'work').write('mine');
  openStateFile(stateDirectory(), '../../evil').write('elsewhere');
  expect(openStateFile(stateDirectory(), 'home').read()).toBeUndefined();
  expect(readdirSync(home)).toEqual(['state']);
  expect(readdirSync(stateDirectory())).toHaveLength(2);
});

test('what cannot be read or written is said by its name', () => {
  const file = join(stateDirectory(), 'plan-work.json');
  mkdirSync(file, { recursive: true });
  const stateFile = openStateFile(stateDirectory(), 'work');
  expect(() => stateFile.read()).toThrow(`${file} cannot be read: `);
  expect(() => stateFile.write('text')).toThrow(`${file} cannot be written: `);
  expect(readdirSync(stateDirectory())).toEqual(['plan-work.json']);
});

test('a link is not followed, but replaced', () => {
  mkdirSync(stateDirectory(), { recursive: true });
  const elsewhere = join(home, 'elsewhere');
  writeFileSync(elsewhere, 'theirs');
  symlinkSync(elsewhere, join(stateDirectory(), 'plan-work.json'));
  const stateFile = openStateFile(stateDirectory(), 'work');
  expect(() => stateFile.read()).toThrow('it is a symbolic link');
  stateFile.write('mine');
  expect(stateFile.read()).toBe('mine');
});
