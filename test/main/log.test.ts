import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { reportCrash } from '../../src/program/crash.ts';
import { callEntry, openLog } from '../../src/program/log.ts';
import { openPart } from '../../src/program/parts.ts';
import { UsageError } from '../../src/program/rules.ts';
import { jsonLines } from '../jsonLines.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let directory: string;
beforeEach(() => {
  directory = temporaryFolder('log');
});

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;
const linesOf = async (file: string) => jsonLines(await readFile(file, 'utf8'));

describe('a log', () => {
  it('is a file of its owner, one JSON object a line, and is appended to', async () => {
    const file = join(directory, 'calls.jsonl');
    for (const n of [1, 2]) {
      const log = openLog(file);
      log.write({ n, text: 'two\nlines' });
      log.close();
    }
    expect(await modeOf(file)).toBe(0o600);
    expect(await linesOf(file)).toEqual([
      { n: 1, text: 'two\nlines' },
      { n: 2, text: 'two\nlines' },
    ]);
  });

  it('that others may read is refused and left as it is', async () => {
    const file = join(directory, 'open.jsonl');
    await writeFile(file, 'old\n');
    for (const mode of [0o644, 0o640, 0o620, 0o610, 0o604, 0o602, 0o601]) {
      await chmod(file, mode);
      expect(() => openLog(file), mode.toString(8)).toThrow(UsageError);
      expect(() => openLog(file)).toThrow(`can be read by others (mode 0${mode.toString(8)}); run: chmod 600 ${file}`);
    }
    expect(await readFile(file, 'utf8')).toBe('old\n');
  });

  it('that cannot be opened is refused by name', async () => {
    expect(() => openLog(join(directory, 'gone', 'x'))).toThrow('no such file or directory');
    expect(() => openLog(directory)).toThrow('it is a directory');
    const link = join(directory, 'link');
    await symlink(join(directory, 'target'), link);
    expect(() => openLog(link)).toThrow('it is a symbolic link');
  });

  it('whose file cannot take more says so once and does not throw', () => {
    const told: string[] = [];
    const log = openLog(join(directory, 'closed.jsonl'), (says) => told.push(says));
    expect(log.failure).toBeUndefined();
    log.close();
    for (let n = 0; n < 3; n++) expect(() => log.write({})).not.toThrow();
    expect(log.failure).toContain('lacks lines since');
    expect(told).toEqual([log.failure]);
  });

  it('of calls has what was asked and nothing of what was said', () => {
    const call = { method: 'GET', path: '/some/path', status: 200, ms: 12.6, at: 0, attempt: 1, rateLimit: 800 };
    expect(callEntry(call)).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      method: 'GET',
      path: '/some/path',
      status: 200,
      ms: 13,
      attempt: 1,
      error: undefined,
    });
  });

  it('of changes lies in a directory of its owner', async () => {
    const state = join(directory, 'state', 'skydeck');
    const log = openAuditLog(state);
    log.write({ n: 1 });
    log.close();
    expect(await modeOf(state)).toBe(0o700);
    expect(await modeOf(join(state, 'audit.jsonl'))).toBe(0o600);
    expect(await linesOf(join(state, 'audit.jsonl'))).toEqual([{ n: 1 }]);
  });

  it('of changes that cannot be kept says how to go on without', async () => {
    const file = join(directory, 'a file');
    await writeFile(file, '');
    expect(() => openAuditLog(join(file, 'skydeck'))).toThrow('or start with --read-only');
    await writeFile(join(directory, 'audit.jsonl'), '', { mode: 0o644 });
    expect(() => openAuditLog(directory)).toThrow('Changes are not sent without an audit log');
  });
});

describe('a crash report', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  function reported(error: unknown, stateHome: string): string {
    let told = '';
    const stderr = { write: (text: string) => (told += text) } as unknown as NodeJS.Process['stderr'];
    const host = {
      env: { XDG_STATE_HOME: stateHome },
      version: 'v24.1.0',
      platform: 'linux',
      arch: 'x64',
      stderr,
    } as const;
    expect(reportCrash(host, error, ['sesame-open'])).toBe(70);
    return told;
  }

  it('is one sentence, and a file of its owner without secrets', async () => {
    const state = join(directory, 'state', 'skydeck');
    const error = new Error(
      'it broke at sesame-open\nsecond line \x1b[31m, Authorization: Bearer abc.def, {"root_pass": "hunter2 x"}',
    );
    expect(reported(error, join(directory, 'state'))).toBe(
      `Skydeck crashed (it broke at [redacted]). A report without secrets is in ${join(state, 'crash-1970-01-01T00-00-00.000Z.txt')}\n`,
    );
    const [name = ''] = await readdir(state);
    const report = await readFile(join(state, name), 'utf8');
    expect(await modeOf(join(state, name))).toBe(0o600);
    expect(await modeOf(state)).toBe(0o700);
    expect(report).toContain('skydeck: 0.0.0-test\nplatform: Node v24.1.0, linux x64\n');
    expect(report).toContain('log.test.ts');
    for (const secret of ['sesame-open', 'abc.def', 'hunter2', '\x1b']) expect(report).not.toContain(secret);
  });

  it('that cannot be written leaves the sentence', async () => {
    const file = join(directory, 'a file');
    await writeFile(file, '');
    expect(reported('a string', join(file, 'state'))).toBe(
      `Skydeck crashed (a string). No report could be written to ${join(file, 'state', 'skydeck')}\n`,
    );
  });

  it('is none where another version has taken the place of this one while it started', async () => {
    const script = join(import.meta.dirname, '../../src/program/program-GONE.js');
    const error = (() => {
      try {
        return openPart(script);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(reported(error, directory)).toBe(
      `${script} is missing: another version of Skydeck took its place just now; start it again.\n`,
    );
    expect(await readdir(directory)).not.toContain('skydeck');
    // Any other file that is missing is a crash.
    expect(reported(Object.assign(new Error('x'), { code: 'ENOENT', path: '/x' }), directory)).toContain('crashed (x)');
  });
});
