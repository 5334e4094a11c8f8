/**
 * Runs scripts of package.json at the same time: `node scripts/together.ts types lint`. Prints what each one says in one
 * piece when it has ended, and which one failed; ends with 1 where one did.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

async function endsWell(name: string): Promise<boolean> {
  const script = scripts[name];
  if (script === undefined) throw new Error(`package.json has no script ${name}`);
  const child = spawn(`exec 2>&1; ${script}`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  process.stdout.write(await text(child.stdout));
  const [code, signal] = await closed;
  if (code !== 0) process.stdout.write(`${name} failed: ${code ?? signal}\n`);
  return code === 0;
}

const ends = await Promise.all(process.argv.slice(2).map(endsWell));
process.exitCode = ends.every(Boolean) ? 0 : 1;
