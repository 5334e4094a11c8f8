import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { counted } from '../../text/words.ts';
import { UsageError } from '../rules.ts';

/** `interrupted`: by ctrl-c */
export type PlanConfirmation = 'yes' | 'no' | 'interrupted';

/** Has the number of steps typed, or given by an option. Throws a UsageError where nobody can be asked. */
export async function confirmed(
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  steps: number,
  confirm: number | undefined,
): Promise<PlanConfirmation> {
  if (confirm !== undefined) {
    if (confirm === steps) return 'yes';
    throw new UsageError(
      `--confirm ${confirm} is not the number of steps: the plan has ${counted(steps, 'step')} to carry out; nothing was sent.`,
    );
  }
  if (!stdin.isTTY) {
    throw new UsageError(
      `Nobody can be asked here, because standard input is no terminal; --confirm ${steps} carries out ${steps === 1 ? 'the step' : `all ${steps} steps`}. Nothing was sent.`,
    );
  }
  const answer = await answered({ stdin, stderr }, `Type ${steps} to carry out ${counted(steps, 'step')}: `);
  if (answer === interrupted) return 'interrupted';
  return answer?.trim() === String(steps) ? 'yes' : 'no';
}

/** By ctrl-c. */
export const interrupted = Symbol('interrupted');

/**
 * Asks for a line at the terminal; resolves with undefined where the input ends.
 * @param isHidden what is typed is not shown
 */
export async function answered(
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  prompt: string,
  isHidden = false,
): Promise<string | typeof interrupted | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // A terminal shows nothing of what is read from it without the echo of this interface.
  const hidden = { output: nowhere, terminal: true, historySize: 0 };
  const asking = createInterface({ input: stdin, output: stderr, ...(isHidden && hidden) });
  const left = new Promise<typeof interrupted | undefined>((resolve) => {
    asking.once('close', () => resolve(undefined));
    asking.once('SIGINT', () => resolve(interrupted));
  });
  if (isHidden) stderr.write(prompt);
  const asked = asking.question(isHidden ? '' : prompt);
  try {
    const answer = await Promise.race([asked, left]);
    if (isHidden || answer === interrupted) stderr.write('\n');
    return answer;
  } finally {
    asking.close();
  }
}
