import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { auditLimits, openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { readAuditLog } from '../../src/program/auditLog/readAuditLog.ts';
import type { Row } from '../../src/resources/resource.ts';
import { jsonLines } from '../jsonLines.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('audit');
});

const filesIn = async (directory: string) => (await readdir(directory)).sort();
const linesIn = async (directory: string) => {
  const texts = await Promise.all((await filesIn(directory)).map((name) => readFile(join(directory, name), 'utf8')));
  return texts.flatMap((text): readonly Row[] => jsonLines(text));
};
const readBack = async (directory: string, limits?: { bytes: number; changes: number }) => {
  const lines: Row[] = [];
  const says = await readAuditLog(directory, (some) => void lines.push(...some), limits);
  return { lines, says };
};

describe('rotation', () => {
  it('loses and doubles no line of several sessions, whatever the sizes', async () => {
    const session = fc.record({ of: fc.nat(3), bytes: fc.nat(300) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(session, { maxLength: 80 }),
        fc.integer({ min: 1, max: 900 }),
        async (steps, maxBytes) => {
          const directory = await mkdtemp(join(home, 'run-'));
          const told: string[] = [];
          const logs = [0, 1, 2, 3].map(() =>
            openAuditLog(directory, (says) => told.push(says), { maxBytes, keep: 100 }),
          );
          const written = steps.map(({ of, bytes }, n) => ({ n, of, text: 'x'.repeat(bytes) }));
          await Promise.all(
            written.map((line) => {
              const log = logs[line.of];
              if (line.n % 2 === 0) return log?.commit(line);
              log?.write(line);
              return undefined;
            }),
          );
          for (const log of logs) log.close();
          const lines = await linesIn(directory);
          expect(lines.map(({ n }) => n).sort((one, other) => Number(one) - Number(other))).toEqual(
            written.map(({ n }) => n),
          );
          expect(told).toEqual([]);
          for (const name of await filesIn(directory)) {
            const text = await readFile(join(directory, name), 'utf8');
            expect(text.length <= maxBytes || text.trimEnd().split('\n').length === 1, name).toBe(true);
            expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
          }
          // They are read as they were written, the newest first.
          const { lines: back, says } = await readBack(directory);
          expect(back.map(({ n }) => n)).toEqual(written.map(({ n }) => n).reverse());
          expect(says).toBeUndefined();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('keeps the newest of the older files', async () => {
    const log = openAuditLog(home, undefined, { maxBytes: 10, keep: 2 });
    for (let n = 0; n < 6; n++) log.write({ n });
    log.close();
    expect((await readBack(home)).lines).toEqual([{ n: 5 }, { n: 4 }, { n: 3 }]);
  });

  it('that fails says so once, and the lines go on', async () => {
    const told: string[] = [];
    const log = openAuditLog(home, (says) => told.push(says), { maxBytes: 10, keep: 2 });
    log.write({ n: 0 });
    await rename(join(home, 'audit.jsonl'), join(home, 'moved'));
    await symlink(join(home, 'elsewhere'), join(home, 'audit.jsonl'));
    await log.commit({ n: 1 });
    await log.commit({ n: 2 });
    expect(told).toEqual([
      expect.stringMatching(/^The audit log .*audit\.jsonl grows on, because no new file can be begun: /),
    ]);
    expect(await readFile(join(home, 'moved'), 'utf8')).toBe('{"n":0}\n{"n":1}\n{"n":2}\n');
    await rm(join(home, 'audit.jsonl'));
    await log.commit({ n: 3 });
    expect(await readFile(join(home, 'audit.jsonl'), 'utf8')).toBe('{"n":3}\n');
    log.close();
  });

  it('begins a file anew where it was deleted', async () => {
    const log = openAuditLog(home);
    log.write({ n: 0 });
    await rm(join(home, 'audit.jsonl'));
    await log.commit({ n: 1 });
    log.close();
    expect((await readBack(home)).lines).toEqual([{ n: 1 }]);
  });
});

describe('reading back', () => {
  it('tells of what is no line, in its place', async () => {
    const long = JSON.stringify({ text: 'y'.repeat(2_000_000) });
    const lines = ['{"n":1}', 'not json', '[1]', long, '"text"', '', '{"n":2}', '{"n":'];
    await writeFile(join(home, 'audit.jsonl'), lines.join('\n'), { mode: 0o600 });
    const { lines: read, says } = await readBack(home);
    expect(read).toEqual([
      { damaged: 'It is no JSON object: {"n":' },
      { n: 2 },
      { damaged: 'It is no JSON object: "text"' },
      { damaged: 'It is longer than 1 MiB.' },
      { damaged: 'It is no JSON object: [1]' },
      { damaged: 'It is no JSON object: not json' },
      { n: 1 },
    ]);
    expect(says).toBe('5 lines of the audit log cannot be read.');
  });

  it('bounds lines in depth, and looks no further than its bytes into one without end', async () => {
    const nested = (levels: number) => `{"body":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    const odd = ['\0'.repeat(33 * 2 ** 20), nested(50_000), nested(60)];
    await writeFile(join(home, 'audit.jsonl'), odd.join('\n'), { mode: 0o600 });
    const usual = { bytes: 64 * 2 ** 20, changes: 100 };
    expect((await readBack(home, usual)).lines).toMatchObject([
      { body: expect.anything() },
      { damaged: 'It is nested more than 64 levels deep.' },
      { damaged: 'It is longer than 1 MiB.' },
    ]);
    const { lines, says } = await readBack(home, { ...usual, bytes: 2 ** 20 });
    expect(lines).toHaveLength(2);
    expect(says).toContain('The audit log has more than the changes that are listed');
  });

  it('reads lines across portions, and letters of several bytes', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'ü→漢'.repeat(n % 40) }));
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFile(join(home, 'audit.jsonl'), text, { mode: 0o600 });
    expect((await readBack(home)).lines).toEqual(lines.toReversed());
  });

  it('says when there is more', async () => {
    const older = 'audit-2026-01-01T00-00-00.000Z-00000000.jsonl';
    await writeFile(join(home, older), '{"n":1}\n', { mode: 0o600 });
    await writeFile(join(home, 'audit.jsonl'), '{"n":2}\n{"n":3}\n', { mode: 0o600 });
    expect(await readBack(home, { bytes: 1000, changes: 2 })).toEqual({
      lines: [{ n: 3 }, { n: 2 }],
      says: `The audit log has more than the changes that are listed; the older ones are in ${home}.`,
    });
    expect((await readBack(home)).lines).toHaveLength(3);
  });

  it('leaves out files of which it cannot be sure', async () => {
    const file = join(home, 'audit.jsonl');
    await writeFile(file, '{"n":1}\n', { mode: 0o600 });
    await chmod(file, 0o640);
    expect(await readBack(home)).toEqual({
      lines: [],
      says: `The audit log ${file} is left out: it can be read by others (mode 0640).`,
    });
    await rm(file);
    await writeFile(join(home, 'other'), '{"n":1}\n', { mode: 0o600 });
    await symlink(join(home, 'other'), file);
    expect(await readBack(home)).toEqual({
      lines: [],
      says: `The audit log ${file} is left out: it is a symbolic link.`,
    });
  });

  it('finds nothing where there is nothing', async () => {
    expect(await readBack(join(home, 'none'))).toEqual({ lines: [], says: undefined });
  });
});

test('the configuration says how large a file may be, and how many older ones stay', () => {
  expect(auditLimits()).toEqual({ maxBytes: 16 * 2 ** 20, keep: 8 });
  expect(auditLimits({ audit: { max_mib: 2, keep: 3 } })).toEqual({ maxBytes: 2 * 2 ** 20, keep: 3 });
});
