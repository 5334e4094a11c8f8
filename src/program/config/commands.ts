import { beginning } from '../../config/beginning.ts';
import { configJsonSchema } from '../../config/jsonSchema.ts';
import { resources } from '../../resources/index.ts';
import { keyNames } from '../../screens/keys/userKeys.ts';
import { isExaminable } from '../../store/problems/userRules.ts';
import { listCalled } from '../../store/views/userViews.ts';
import type { Invocation } from '../invocation.ts';
import { isListed } from './checkCommands.ts';
import { checkedJson, checkedText } from './checkedText.ts';
import { isChanged } from './checkGuards.ts';
import { editConfig, type Host } from './editConfig.ts';
import { configFile, readConfig } from './readConfig.ts';

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
  const wrong = read.mistakes.length > 0;
  return { text: options.json ? checkedJson(read) : checkedText(read), wrong };
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
