import { Box, render, useWindowSize } from 'ink';
import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { ThemeContext, themeNamed, useTheme } from '../../components/theme.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { Footer } from '../Footer.tsx';
import { KeyboardProvider } from '../keyboard.tsx';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { Page } from '../page/Page.tsx';
import { isTooSmall, TooSmall } from '../TooSmall.tsx';
import { inkOptions } from '../terminal/inkOptions.ts';
import { AccountForm, type AccountFormProps } from './AccountForm.tsx';
import type { FirstChoice } from './accountFields.ts';

interface DrawFirstStart extends Omit<FirstStartProps, 'choose'> {
  terminal: Terminal;
  theme: Parameters<typeof themeNamed>;
}

/** Draws the first start until one of its ways was chosen; rejects when it crashes. */
export async function drawFirstStart({ terminal, theme, ...props }: DrawFirstStart): Promise<FirstChoice> {
  terminal.begin();
  let chosen: FirstChoice = 'quit';
  const ink = render(
    <ThemeContext value={themeNamed(...theme)}>
      <KeyboardProvider>
        <FirstStart
          {...props}
          choose={(choice) => {
            chosen = choice;
            ink.unmount();
          }}
        />
      </KeyboardProvider>
    </ThemeContext>,
    inkOptions(terminal),
  );
  await ink.waitUntilExit();
  return chosen;
}

interface FirstStartProps extends Pick<AccountFormProps, 'start' | 'configFile' | 'connect'> {
  /** The ways to give an account without this screen, as paragraphs. */
  reading: readonly string[];
  choose: (choice: FirstChoice) => void;
}

/** The first screen where no account is configured: the demo, an account, or more to read. */
function FirstStart({ reading, choose, ...form }: FirstStartProps) {
  const theme = useTheme();
  const { columns, rows } = useWindowSize();
  const [last, setLast] = useState<string>();
  const [page, setPage] = useState<'ways' | 'account' | 'reading'>('ways');
  if (isTooSmall(columns, rows)) return <TooSmall columns={columns} rows={rows} />;
  const back = () => setPage('ways');
  const open = (way: 'account' | 'reading') => {
    setLast(way);
    setPage(way);
  };
  const height = rows - 2;
  const items: readonly MenuItem[] = [
    { id: 'demo', label: 'Try the demo', detail: 'nothing leaves this machine', run: () => choose('demo') },
    { id: 'account', label: 'Use your account', detail: 'its address and a token', run: () => open('account') },
    { id: 'reading', label: 'Read on', detail: 'profiles, tokens, read-only', run: () => open('reading') },
  ];
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Line text={` ${theme.paint('title', 'skydeck')}  first start`} />
      {page === 'account' ? (
        <AccountForm {...form} width={columns} height={height} done={() => choose('account')} close={back} />
      ) : page === 'reading' ? (
        <Page
          layer="pane"
          title="Accounts"
          lines={reading.flatMap((text) => ['', ...wrapCells(clean(text), columns - 4).map((line) => `  ${line}`)])}
          width={columns}
          height={height}
          keys={{ close: back }}
        />
      ) : (
        <Menu
          title="Welcome"
          note="A dashboard for your cloud hosting account. No account is configured yet."
          items={items}
          start={last}
          width={columns}
          height={height}
          close={() => choose('quit')}
          isAlone
        />
      )}
      <Footer width={columns} />
    </Box>
  );
}
