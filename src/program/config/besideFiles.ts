import { basename } from 'node:path';
import { commandName } from '../../config/commandActions.ts';
import { viewsText } from '../../config/configTexts.ts';
import { type MissingCommand, textAdded } from '../../config/missingCommands.ts';
import { parseConfig } from '../../config/parseConfig.ts';
import type { ViewsFile } from '../../store/views/userViews.ts';
import { changeNamed } from '../replaceFile.ts';
import { UsageError } from '../rules.ts';
import { configChecks } from './checks.ts';
import { besideOf, commandsFileOf, textOf, trustedConfig } from './readConfig.ts';

/**
 * Adds a command at the end of the file beside the configuration; one of its name that another session or a person has
 * added meanwhile is left as it is. Throws an Error of one sentence where nothing is written.
 */
export function addToCommandsFile(configFile: string, command: MissingCommand): void {
  const file = commandsFileOf(configFile);
  if (file === configFile)
    throw new Error(
      `The configuration is called ${basename(file)} itself, so none lies beside it: write the command there.`,
    );
  changeNamed(file, trustedConfig, (before) => {
    const config = textOf(configFile, false) ?? '';
    const others = besideOf(configFile).filter((one) => one.file !== file);
    const parsed = (source: string) =>
      parseConfig(config, configChecks, [...others, { file, source, isOfCommands: true }]);
    const now = parsed(before);
    const isThere = now.config.commands.some(
      (one) => one.for === command.for && commandName(one) === commandName(command),
    );
    const text = before + textAdded(before, command);
    const [mistake] = (isThere ? now : parsed(text)).mistakes.filter(({ stops }) => stops === 'start');
    if (mistake) {
      const { file: where = configFile, says } = mistake;
      throw new UsageError(`${basename(where)}, ${says} Nothing is written until that is mended.`);
    }
    return isThere ? before : text;
  });
}

const head = '# The views that :save keeps. Skydeck writes this file anew, so comments in it are lost.\n\n';

/** Changes the file of the saved views, as it is at that moment; a new one only its owner can read. Throws an Error of one sentence. */
export const changeViewsFile = (path: string, alter: Parameters<ViewsFile['change']>[0]): void =>
  changeNamed(path, trustedConfig, (before) => {
    const { config, mistakes } = parseConfig(before);
    const [mistake] = mistakes;
    if (mistake) throw new UsageError(`${basename(path)}, ${mistake.says} It is not written until that is mended.`);
    return `${head}${viewsText(alter(config.views))}`;
  });
