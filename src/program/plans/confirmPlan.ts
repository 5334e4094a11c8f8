import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { counted } from '../../text/words.ts';
import { UsageError } from '../rules.ts';

/** Has the number of steps typed, or given by an option. Throws a UsageError where nobody can be asked. */
export async function confirmed(
  host: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  steps: number,
  confirm: number | undefined,
): Promise<boolean | typeof interrupted> {
  if (confirm !== undefined) {
    if (confirm === steps) return true;
    throw new UsageError(
      `--confirm ${confirm} is not the number of steps: the plan has ${counted(steps, 'step')} to carry out; nothing was sent.`,
    );
  }
  if (!host.stdin.isTTY) {
    throw new UsageError(
      `Nobody can be asked here, because standard input is no terminal; --confirm ${steps} carries out ${steps === 1 ? 'the step' : `all ${steps} steps`}. Nothing was sent.`,
    );
  }
  const asking = askingAt(host);
  const answer = await asking.ask(`Type ${steps} to carry out ${counted(steps, 'step')}: `);
  asking.close();
  return answer === interrupted ? answer : answer?.trim() === String(steps);
}

/** By ctrl-c. */
export const interrupted = Symbol('interrupted');

/**
 * Asks for lines at the terminal until it is closed; an answer is undefined where the input ends. What is typed ahead of a question answers it.
 * @param isHidden what is typed is not shown, not between two questions either
 */
export function askingAt({ stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>, isHidden = false) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // A terminal shows nothing of what is read from it without the echo of this interface.
  const hidden = { output: nowhere, terminal: true, historySize: 0 };
  const asking = createInterface({ input: stdin, output: stderr, ...(isHidden && hidden) });
  const lines = asking[Symbol.asyncIterator]();
  const left = new Promise<typeof interrupted>((resolve) => asking.once('SIGINT', () => resolve(interrupted)));
  return {
    async ask(prompt: string): Promise<string | typeof interrupted | undefined> {
      if (isHidden) stderr.write(prompt);
      asking.setPrompt(isHidden ? '' : prompt);
      asking.prompt();
      const answer = await Promise.race([lines.next(), left]);
      if (isHidden || answer === interrupted) stderr.write('\n');
      return answer === interrupted ? interrupted : answer.value;
    },
    close: () => asking.close(),
  };
}
