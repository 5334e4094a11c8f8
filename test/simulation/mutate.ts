import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Mutant, mutants } from './mutants.ts';

/** Whatever a story needs of this repository. */
export const parts = ['src', 'test/simulation', 'test/draw.ts', 'test/resources/actionOf.ts', 'package.json'];

/** So many stories, one after another. */
interface Seeds {
  readonly from: number;
  readonly count: number;
}

/** The end of the stories in the sources of a mutant. */
interface Hunt {
  /** The story that ended badly; undefined where none did. */
  readonly seed?: number;
  readonly says: string;
}

/**
 * Puts each fault into a copy of the sources, and runs stories in it until one ends badly.
 * @param named only mutants whose name has this text
 * @returns how many were not found
 */
export async function huntAll(seeds: Seeds, named: string, print: (line: string) => void): Promise<number> {
  let missed = 0;
  for (const mutant of mutants.filter(({ name }) => name.includes(named))) {
    const { seed, says } = await hunt(mutant, seeds);
    if (seed === undefined) missed++;
    print(`${mutant.name}: ${seed === undefined ? `not found in ${seeds.count} stories` : `story ${seed}`}${says}`);
  }
  return missed;
}

async function hunt({ name, edits }: Mutant, seeds: Seeds): Promise<Hunt> {
  const home = mkdtempSync(join(tmpdir(), 'skydeck-mutant-'));
  try {
    for (const part of parts) cpSync(part, join(home, part), { recursive: true });
    symlinkSync(resolve('node_modules'), join(home, 'node_modules'));
    for (const { file, from, to } of edits) {
      const [before, after, ...others] = readFileSync(join(home, file), 'utf8').split(from);
      if (after === undefined || others.length > 0) throw new Error(`${name}: ${file} has its text not just once`);
      writeFileSync(join(home, file), before + to + after);
    }
    return await run(home, seeds);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function run(home: string, { from, count }: Seeds): Promise<Hunt> {
  const which = ['--from', `${from}`, '--seeds', `${count}`];
  const words = ['test/simulation/simulate.ts', '--jobs', '1', ...which, '--most', '1', '--json'];
  const child = spawn(process.execPath, [...process.execArgv, ...words], { cwd: home });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', () => {
      const text = lines.join('');
      const found = text.split('\n').find((line) => line.startsWith('{"seed"'));
      if (!found && !text.includes('ended badly')) fail(new Error(text));
      const { seed, findings: [first] = [] } = found ? JSON.parse(found) : {};
      done({ seed, says: first ? ` (${first.rule}: ${first.says})` : '' });
    });
  });
}
