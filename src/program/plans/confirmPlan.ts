import { createInterface } from 'node:readline/promises';
import { counted } from '../../text/words.ts';
import { UsageError } from '../rules.ts';

/** `interrupted`: by ctrl-c */
export type Confirmation = 'yes' | 'no' | 'interrupted';

/** Has the number of steps typed, or given by an option. Throws a UsageError where nobody can be asked. */
export async function confirmed(
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  steps: number,
  confirm: number | undefined,
): Promise<Confirmation> {
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
  const asking = createInterface({ input: stdin, output: stderr });
  const left = new Promise<Confirmation>((resolve) => {
    asking.once('close', () => resolve('no'));
    asking.once('SIGINT', () => {
      stderr.write('\n');
      resolve('interrupted');
    });
  });
  const asked = asking.question(`Type ${steps} to carry out ${counted(steps, 'step')}: `);
  try {
    return await Promise.race([asked.then((answer) => (answer.trim() === String(steps) ? 'yes' : 'no')), left]);
  } finally {
    asking.close();
  }
}
