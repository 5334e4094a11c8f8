import { createInterface } from 'node:readline/promises';
import { counted } from '../../text/words.ts';
import { UsageError } from '../rules.ts';

/** Has the number of steps typed, or given by an option. Resolves with whether it was; throws a UsageError where nobody can be asked. */
export async function isConfirmed(
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
  steps: number,
  confirm: number | undefined,
): Promise<boolean> {
  if (confirm !== undefined) {
    if (confirm === steps) return true;
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
  const left = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''));
    asking.once('SIGINT', () => {
      stderr.write('\n');
      resolve('');
    });
  });
  try {
    const answer = await Promise.race([
      asking.question(`Type ${steps} to carry out ${counted(steps, 'step')}: `),
      left,
    ]);
    return answer.trim() === String(steps);
  } finally {
    asking.close();
  }
}
