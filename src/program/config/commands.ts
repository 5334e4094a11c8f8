import { createInterface } from 'node:readline/promises';
import { beginning } from '../../config/configTexts.ts';
import { configJsonSchema } from '../../config/jsonSchema.ts';
import { keyText } from '../../config/lines.ts';
import { parseConfig } from '../../config/parseConfig.ts';
import { resources } from '../../resources/index.ts';
import { keyNames } from '../../screens/keys/userKeys.ts';
import { isExaminable } from '../../store/problems/userRules.ts';
import { listCalled } from '../../store/views/userViews.ts';
import { editText } from '../../terminal/editor.ts';
import { visibleJson } from '../../text/escapes.ts';
import { counted, withoutStop } from '../../text/words.ts';
import type { Invocation } from '../invocation.ts';
import { print } from '../output.ts';
import { changeNamed, freePath, replaceNamed } from '../replaceFile.ts';
import { throwUsage, UsageError } from '../rules.ts';
import { environmentFor } from '../token.ts';
import { isListed } from './checkCommands.ts';
import { configChecks, isChanged } from './checks.ts';
import { besideOf, configFile, type ReadConfig, readConfig, textOf, trustedConfig } from './readConfig.ts';

/** Carries out `skydeck config`. Returns what is to be printed, and whether mistakes were found. */
export async function configCommand(
  { topic, file, options }: Invocation,
  host: Host,
): Promise<{ text: string; wrong: boolean }> {
  const { env } = host;
  const { file: used, wanted } = configFile(options.config, env);
  if (topic === 'edit') return { text: '', wrong: await editConfig(used, host) };
  if (topic === 'schema') return { text: configJsonSchema(schemaNames()), wrong: false };
  if (topic === 'path') return { text: `${used}\n`, wrong: false };
  if (topic === 'init') return { text: beginning, wrong: false };
  const read = await readConfig(file ?? used, wanted || file !== undefined);
  if (topic === 'show') {
    const { settingsInForce, settingsText } = await import('./showConfig.ts');
    return { text: settingsText(settingsInForce(read, options, env), options.json), wrong: false };
  }
  return { text: options.json ? checkedJson(read) : checkedText(read), wrong: read.mistakes.length > 0 };
}

/** The names that the JSON Schema of the configuration has: those that its checks take. */
export const schemaNames = () => ({
  ...keyNames(),
  areas: {
    views: resources.filter(({ name }) => listCalled(name)),
    guards: resources.filter(isChanged),
    commands: resources.filter(({ local }) => !local),
    rules: resources.filter(isExaminable),
    ask: resources.filter(isListed),
  },
});

type Host = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>;

/**
 * Opens the configuration in the editor and takes it once it has no mistakes. A text that is not taken is kept beside it.
 * Returns whether it failed. Throws a UsageError of one sentence where there is no editor, or nothing can be written.
 */
export async function editConfig(file: string, { env, stdin, stdout }: Host): Promise<boolean> {
  if (!stdin.isTTY || !stdout.isTTY)
    throw new UsageError('skydeck config edit opens an editor, which needs a terminal.');
  const before = textOf(file, false);
  let text = before ?? beginning;
  const left = (says: string) => {
    const kept = freePath(`${file}.edit`);
    replaceNamed(kept, text);
    return told(stdout, `${says}; what you typed is in ${kept}.`, true);
  };
  for (let isTyped = false; ; isTyped = true) {
    // The editor gets no token.
    const { tokenVariables: variables } = parseConfig(text, [], besideOf(file));
    const options = { env: environmentFor(env, { variables }), suffix: '.toml' };
    const edited = await editText(text, options).catch(throwUsage);
    const gaveUp = 'The editor ended with an error, so nothing was changed';
    if (edited === undefined) return isTyped ? left(gaveUp) : told(stdout, `${gaveUp}.`, true);
    if (edited === before) return told(stdout, `Nothing was changed in ${file}.`, false);
    text = edited === '' || edited.endsWith('\n') ? edited : `${edited}\n`;
    const parsed = parseConfig(text, configChecks, besideOf(file));
    await print(stdout, checkedText({ file, found: true, ...parsed }));
    if (parsed.mistakes.length === 0) break;
    if (!(await isToBeEdited({ stdin, stdout }))) return left(`${file} is as it was`);
  }
  try {
    changeNamed(file, trustedConfig, (now) => {
      if (now !== (before ?? '')) throw new UsageError(`${file} was changed meanwhile, so it was left.`);
      return text;
    });
  } catch (error) {
    if (error instanceof UsageError) return left(withoutStop(error.message));
    throw error;
  }
  return told(stdout, `${file} is written; :reload takes it where a dashboard is open.`, false);
}

async function told(stdout: Host['stdout'], says: string, failed: boolean): Promise<boolean> {
  await print(stdout, `${says}\n`);
  return failed;
}

/** Asks what is to become of a text with mistakes; whatever is no answer asks again, and the end of all input is q. */
async function isToBeEdited({ stdin, stdout }: Pick<Host, 'stdin' | 'stdout'>): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stdout });
  const end = new Promise<string>((resolve) => lines.once('close', () => resolve('q')));
  try {
    for (;;) {
      const asked = lines.question('e edits it again, q leaves the configuration as it was: ');
      const answer = (await Promise.race([asked, end])).trim();
      if (answer === 'e' || answer === 'q') return answer === 'e';
    }
  } finally {
    lines.close();
  }
}

/** The mistakes and warnings as compilers say them, so that editors go there; or that there are none. */
function checkedText(read: ReadConfig): string {
  const linesOf = (found: ReadConfig['warnings'], kind: string) =>
    found.map(placeIn(read)).map(({ file, line, column, says }) => `${file}:${line}:${column}: ${kind}${says}`);
  const { mistakes, warnings } = read;
  const lines = [...(mistakes.length > 0 ? linesOf(mistakes, '') : [verdict(read)]), ...linesOf(warnings, 'warning: ')];
  return `${lines.join('\n')}\n`;
}

/** The same as a JSON document. */
function checkedJson(read: ReadConfig): string {
  const at = placeIn(read);
  const mistakes = read.mistakes.map((mistake) => ({ ...at(mistake), key: keyText(mistake.path) }));
  return `${visibleJson({ file: read.file, mistakes, warnings: read.warnings.map(at) }, 2)}\n`;
}

const placeIn =
  ({ file: own }: ReadConfig) =>
  ({ file = own, line, column, says }: ReadConfig['warnings'][number]) => ({
    ...{ file, line, column },
    says: says.replace(/^line \d+: /, ''),
  });

function verdict({ file, found, config, commandsFile, further = [] }: ReadConfig): string {
  if (!found && commandsFile === undefined && further.length === 0)
    return `There is no configuration: ${file} does not exist.`;
  const keys = Object.entries(config.keys).reduce(
    (sum, [, layer]) => sum + (typeof layer === 'object' ? Object.keys(layer).length : 1),
    0,
  );
  const parts = [
    counted(Object.keys(config.profiles).length, 'profile'),
    counted(keys, 'key'),
    counted(Object.keys(config.views).length, 'view'),
    counted(config.commands.length, 'command'),
    counted(config.rules.length, 'rule'),
    counted(config.hooks.length, 'hook'),
    config.audit ? 'the audit log' : '0 ',
  ].filter((part) => !part.startsWith('0 '));
  const files = [...(found ? [file] : []), ...further, ...(commandsFile === undefined ? [] : [commandsFile])];
  return `${files.join(' with ')} has no mistakes: ${parts.join(', ') || 'it is empty'}.`;
}
