import { useState } from 'react';
import { useTheme } from '../../components/theme.ts';
import { addedCommand, commandText, lackingWords, missingOn } from '../../config/missingCommands.ts';
import { resourceNamed } from '../../resources/index.ts';
import { plural } from '../../resources/wording.ts';
import { reload } from '../../store/accounts/reload.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { Menu } from '../menus/Menu.tsx';
import type { OverlayProps } from '../props.ts';
import { answerText, QuestionPane } from '../question/QuestionPane.tsx';
import { useAppContext } from '../useStores.ts';

/** Chooses a request that the documents leave out, shows the lines that add it to the user's own commands, and adds them. */
export function AddCommandPane({ overlay, ...size }: OverlayProps<'addCommand'>) {
  const theme = useTheme();
  const { stores, accounts } = useAppContext();
  const { navigation, configuration, commandsFile: file, notices } = stores;
  const [isWritten, setWritten] = useState(false);
  const resource = resourceNamed(overlay.resource);
  const missing = missingOn(resource);
  const found = missing.find(({ name }) => name === overlay.name);
  const cancel = () => navigation.dismiss(overlay, overlay.next);
  if (!found)
    return (
      <Menu
        title={`Commands for ${plural(resource)} that are ${lackingWords}`}
        items={missing.map(({ name, request }) => ({
          id: name,
          label: name,
          detail: `${request?.method} ${request?.path}`,
          run: () => navigation.dismiss(overlay, { ...overlay, name }),
        }))}
        close={cancel}
        none="They are all among your commands."
        {...size}
      />
    );
  const command = addedCommand(found);
  const where = file ? `at the end of ${file.path}` : 'for this session, as there is no configuration';
  const says = `${found.name} is ${lackingWords}; an API that does not have it says so. This adds it to your commands, ${where}; nothing is sent.`;
  const room = size.width - 5;
  const lines = [
    ...wrapCells(clean(says), room),
    '',
    ...commandText(command)
      .trimEnd()
      .split('\n')
      .flatMap((line) => wrapCells(line, room))
      .map((line) => theme.paint('accent', line)),
  ];

  async function add(): Promise<void> {
    setWritten(true);
    try {
      if (file) await file.add(command);
      else configuration.setState(({ commands }) => ({ commands: [...commands, command] }));
      const opened = Object.values(accounts.getState().opened).filter((one) => one !== stores);
      const added = `${command.name} is an action of ${plural(resource)} now${file ? `; it stands in ${file.path}` : ''}`;
      if (file) await reload(stores, opened, added);
      else notices.say('good', `${added}.`);
      navigation.dismiss(overlay, overlay.next);
    } catch (error) {
      setWritten(false);
      notices.say('bad', (error as Error).message);
    }
  }

  return (
    <QuestionPane
      title={`Add ${found.name} to your commands?`}
      isDanger={false}
      lines={lines}
      about={found.name}
      totals={[]}
      phrase={undefined}
      agree={{ word: 'add it', run: () => void (isWritten || void add()) }}
      wayOut={answerText(undefined, 'add it', 'leave it')}
      cancel={cancel}
      {...size}
    />
  );
}
