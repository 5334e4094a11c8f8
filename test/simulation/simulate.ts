/**
 * Runs made-up stories and judges them: `npm run simulate -- --seeds 50000`. Prints those that end badly, made as short as
 * they can be, and ends with 1 where there are any.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import './clock.ts';
import './disk.ts';

const help = `npm run simulate -- [--seeds N] [--from S] [--seed S] [--story FILE] [--jobs N] [--all]
  --seeds N    runs N stories, 1000 by default
  --from S     begins at this seed, at 1 by default
  --these S,…  runs the stories of these seeds, and of no others unless --seeds says how many
  --seed S     tells one story as it is, whatever comes of it
  --jobs N     so many processes, one for each core by default
  --rule TEXT  only findings of this rule count, or of these, with commas
  --most N     stops after so many findings, 5 by default; 0 never stops
  --mutants    puts faults into copies of the sources, and tells which story finds each; with --mutant TEXT only some
  --json       prints a line of JSON for each story that ends badly, not made shorter
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    these: { type: 'string' },
    seed: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    rule: { type: 'string' },
    most: { type: 'string', default: '5' },
    mutants: { type: 'boolean', default: false },
    mutant: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const { storyOf } = await import('./deeds/story.ts');
const { run } = await import('./run.ts');
const { told } = await import('./telling.ts');
const { shrink } = await import('./shrink.ts');
const { huntAll } = await import('./mutate.ts');

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const these = values.these?.split(',').map(Number) ?? [];
const [from, seeds, jobs, most] = [
  values.from,
  values.seeds ?? (these.length > 0 ? 0 : 1000),
  values.jobs,
  values.most,
].map(Number) as [number, number, number, number];

if (values.help) print(help);
else if (values.mutants) process.exitCode = (await huntAll({ from, count: seeds }, values.mutant, print)) > 0 ? 1 : 0;
else if (values.seed !== undefined) print(told(await run(storyOf(Number(values.seed)))));
else if (jobs > 1 && these.length === 0) await several();
else process.exitCode = (await some()) > 0 ? 1 : 0;

/** Runs the stories of the seeds in this process; resolves with the number of those that ended badly. */
async function some(): Promise<number> {
  const before = process.cpuUsage();
  const bad = new Map<string, number[]>();
  let count = 0;
  let requests = 0;
  const those = [...Array.from({ length: seeds }, (_, index) => from + index), ...these];
  for (const seed of those) {
    if (most > 0 && count >= most) break;
    const ended = await run(storyOf(seed));
    requests += ended.world.network.exchanges.length;
    const findings = ended.findings.filter(
      ({ rule }) => values.rule === undefined || values.rule.split(',').includes(rule),
    );
    if (findings.length === 0) continue;
    count++;
    for (const rule of new Set(findings.map(({ rule }) => rule))) bad.set(rule, [...(bad.get(rule) ?? []), seed]);
    if (values.json) print(JSON.stringify({ seed, findings }));
    else print(`${told(await shrink({ ...ended, findings }))}\n`);
  }
  const { user, system } = process.cpuUsage(before);
  const each = ((user + system) / 1000 / those.length).toFixed(1);
  for (const [rule, those] of bad) print(`${rule}: ${those.length} (${those.slice(0, 12).join(', ')})`);
  print(
    `Seeds ${those.at(0)} to ${those.at(-1)}: ${count} of ${those.length} stories ended badly; ${requests} requests, ${each} ms of processor time each.`,
  );
  return count;
}

/** Shares the seeds among processes. */
async function several(): Promise<void> {
  const each = Math.ceil(seeds / jobs);
  const codes = Array.from({ length: jobs }, (_, index) => {
    const own = ['--from', String(from + index * each), '--seeds', String(Math.min(each, seeds - index * each))];
    const rest = ['--jobs', '1', '--most', String(most), ...(values.rule ? ['--rule', values.rule] : [])];
    const child = fork(import.meta.filename, [...own, ...rest, ...(values.json ? ['--json'] : [])]);
    return new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
  });
  process.exitCode = (await Promise.all(codes)).some((code) => code !== 0) ? 1 : 0;
}
