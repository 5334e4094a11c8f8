import type { CommandRun } from '../commandRun.ts';
import { openConnection } from '../connection.ts';
import { stateDirectory } from '../directories.ts';
import { print } from '../output.ts';
import { pauseBudgetMs } from '../takeSnapshots.ts';
import { writeBundle } from './bundle.ts';
import { diagnose } from './doctor.ts';

/** Makes every check of `doctor`, each printed at once, and packs them where that is wanted. Resolves with the rest of what is printed. */
export async function examined(run: CommandRun): Promise<{ text: string; failures: number }> {
  const { invocation, host, settings, child } = run;
  const { env, stdout } = host;
  const isPacked = invocation.options.bundle !== undefined;
  let text = '';
  const failures = await diagnose({
    settings,
    connect: (of) =>
      openConnection({ ...of, readOnly: true }, invocation.demo, { child, pauseBudgetMs, retriesTimeouts: false }),
    ...{ env, stdout, json: invocation.options.json || isPacked },
    state: stateDirectory(env),
    print: (line) => {
      if (!isPacked) return print(stdout, `${line}\n`);
      text = line;
    },
    now: Date.now,
  });
  if (!isPacked) return { text, failures };
  return { text: `${await writeBundle(run, JSON.parse(text))}\n`, failures: 0 };
}
