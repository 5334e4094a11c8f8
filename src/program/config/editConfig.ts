import { createInterface } from 'node:readline/promises';
import { beginning } from '../../config/beginning.ts';
import { parseConfig } from '../../config/parseConfig.ts';
import { editText } from '../../terminal/editor.ts';
import { print } from '../output.ts';
import { replaceNamed } from '../privateFile.ts';
import { UsageError } from '../rules.ts';
import { environmentFor } from '../token.ts';
import { checkedText } from './checkedText.ts';
import { configChecks } from './checks.ts';
import { besideOf, textOf } from './readConfig.ts';

export type Host = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>;

/**
 * Opens the configuration in the editor and takes it once it has no mistakes. A text that is not taken is kept beside it.
 * Returns whether it failed. Throws a UsageError of one sentence where there is no editor, or nothing can be written.
 */
export async function editConfig(file: string, { env, stdin, stdout }: Host): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY)
    throw new UsageError('skydeck config edit opens an editor, which needs a terminal.');
  const before = textOf(file, false);
  let text = before ?? beginning;
  for (;;) {
    // The editor gets no token.
    const { tokenVariables: variables } = parseConfig(text, [], besideOf(file));
    const edited = await editText(text, { env: environmentFor(env, { variables }), suffix: '.toml' }).catch(
      (error: Error) => {
        throw new UsageError(error.message);
      },
    );
    if (edited === undefined) return told(stdout, 'The editor ended with an error, so nothing was changed.', true);
    if (edited === before) return told(stdout, `Nothing was changed in ${file}.`, false);
    text = edited === '' || edited.endsWith('\n') ? edited : `${edited}\n`;
    const parsed = parseConfig(text, configChecks, besideOf(file));
    const read = { file, found: true, ...parsed };
    await print(stdout, checkedText(read));
    if (parsed.mistakes.length === 0) break;
    if (!(await isToBeEdited({ stdin, stdout }))) {
      replaceNamed(`${file}.edit`, text);
      return told(stdout, `${file} is as it was; what you typed is in ${file}.edit.`, true);
    }
  }
  if (textOf(file, false) !== before) {
    replaceNamed(`${file}.edit`, text);
    return told(stdout, `${file} was changed meanwhile, so it was left; what you typed is in ${file}.edit.`, true);
  }
  replaceNamed(file, text);
  return told(stdout, `${file} is written; :reload takes it where a dashboard is open.`, false);
}

async function told(stdout: Host['stdout'], says: string, failed: boolean): Promise<boolean> {
  await print(stdout, `${says}\n`);
  return failed;
}

/** Asks what is to become of a text with mistakes; whatever is no answer asks again. */
async function isToBeEdited({ stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    for (;;) {
      const answer = (await lines.question('e edits it again, q leaves the configuration as it was: ')).trim();
      if (answer === 'e' || answer === 'q') return answer === 'e';
    }
  } finally {
    lines.close();
  }
}
