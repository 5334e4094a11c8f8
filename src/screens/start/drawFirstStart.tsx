import { render } from 'ink';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Line, Lines } from '../../components/Line.tsx';
import { saidLines } from '../../components/spans.ts';
import { marksOf, pointerOf, type Theme, ThemeContext, themeNamed, useTheme } from '../../components/theme.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Footer } from '../Footer.tsx';
import { KeyboardProvider, useKeys } from '../keyboard.tsx';
import { Menu, type MenuItem } from '../menus/Menu.tsx';
import { Page } from '../page/Page.tsx';
import { Pane } from '../page/Pane.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import { inkOptions, WithMinSize } from '../terminal/window.tsx';
import type { Size } from '../useStores.ts';

/** The fields of the first start, in their order. */
const accountFields = ['address', 'token'] as const;

type AccountField = (typeof accountFields)[number];

/** An account as it was typed. */
export type AccountEntries = Readonly<Record<AccountField, string>>;

/** Why an account cannot be used: the field to change, the request that was made, if any, and its outcome as a sentence. */
export interface AccountRefusal {
  field: AccountField;
  tried?: string;
  says: string;
}

/** The way that somebody without an account in the configuration has chosen. */
export type FirstChoice = 'demo' | 'account' | 'quit';

interface DrawFirstStart extends Omit<FirstStartProps, 'choose'> {
  terminal: Terminal;
  /** That of the background where none is named. */
  theme: readonly [string | undefined, Theme['glyphs'], color: boolean, depth: number];
}

/** Draws the first start until one of its ways was chosen; rejects when it crashes. */
export async function drawFirstStart({ terminal, theme, ...props }: DrawFirstStart): Promise<FirstChoice> {
  terminal.begin();
  let chosen: FirstChoice = 'quit';
  const ink = render(
    <Themed>
      <KeyboardProvider>
        <FirstStart
          {...props}
          choose={(choice) => {
            chosen = choice;
            // An answer that comes after the end would be typed into the shell.
            const answered = choice === 'quit' ? terminal.answered() : undefined;
            void Promise.resolve(answered).then(() => ink.unmount());
          }}
        />
      </KeyboardProvider>
    </Themed>,
    inkOptions(terminal),
  );
  await ink.waitUntilExit();
  return chosen;

  function Themed({ children }: { children: ReactNode }) {
    const [isLight, setLight] = useState(terminal.isLight);
    useEffect(() => {
      terminal.listen({ onBackground: setLight });
      terminal.ask();
    }, []);
    const [name = isLight ? 'light' : 'dark', ...others] = theme;
    return <ThemeContext value={themeNamed(name, ...others)}>{children}</ThemeContext>;
  }
}

interface FirstStartProps extends Pick<AccountFormProps, 'start' | 'configFile' | 'connect'> {
  /** The ways to give an account without this screen, as paragraphs. */
  reading: readonly string[];
  choose: (choice: FirstChoice) => void;
}

/** The first screen where no account is configured: the demo, an account, or more to read. */
function FirstStart({ reading, choose, ...form }: FirstStartProps) {
  const theme = useTheme();
  const [last, setLast] = useState<string>();
  const [page, setPage] = useState<'ways' | 'account' | 'reading'>('ways');
  const back = () => setPage('ways');
  const open = (way: 'account' | 'reading') => {
    setLast(way);
    setPage(way);
  };
  const items: readonly MenuItem[] = [
    { id: 'demo', label: 'Try the demo', detail: 'nothing leaves this machine', run: () => choose('demo') },
    { id: 'account', label: 'Use your account', detail: 'its address and a token', run: () => open('account') },
    { id: 'reading', label: 'Read on', detail: 'profiles, tokens, read-only', run: () => open('reading') },
  ];
  return (
    <WithMinSize quit={() => choose('quit')}>
      {({ columns, rows }) => (
        <>
          <Line text={` ${theme.paint('title', 'skydeck')}  first start`} />
          {page === 'account' ? (
            <AccountForm {...form} width={columns} height={rows - 2} done={() => choose('account')} close={back} />
          ) : page === 'reading' ? (
            <Page
              layer="pane"
              title="Accounts"
              lines={reading
                .flatMap((text) => ['', ...wrapCells(clean(text), columns - 4).map((line) => `  ${line}`)])
                .slice(1)}
              width={columns}
              height={rows - 2}
              keys={{ close: back }}
            />
          ) : (
            <Menu
              title="Welcome"
              note="A dashboard for your cloud hosting account. No account is configured yet."
              items={items}
              start={last}
              width={columns}
              height={rows - 2}
              close={() => choose('quit')}
              isAlone
            />
          )}
          <Footer width={columns} />
        </>
      )}
    </WithMinSize>
  );
}

interface AccountFormProps extends Size {
  start: AccountEntries;
  /** Where the account is saved. */
  configFile: string;
  /** Tries the account and saves it; answers why not. Ends early when the signal is aborted. */
  connect: (entries: AccountEntries, signal: AbortSignal) => Promise<AccountRefusal | undefined>;
  done: () => void;
  close: () => void;
}

const labels = { address: 'Address', token: 'Token' } as const;
const missing = {
  address: 'Type the address of the API first, like https://api.example.com.',
  token: 'Type or paste a personal access token; the website of your provider makes them.',
} as const;
const labelWidth = 10;

/** The form for the address and the token of the first account, which are tried before they are saved. */
function AccountForm({ start, configFile, connect, width, height, done, close }: AccountFormProps) {
  const theme = useTheme();
  const [entries, setEntries] = useState(start);
  const [focus, setFocus] = useState(start.address === '' ? 0 : 1);
  const [refusal, setRefusal] = useState<AccountRefusal>();
  const [trial, setTrial] = useState<AbortController>();
  const running = useRef(trial);
  running.current = trial;
  useEffect(() => () => running.current?.abort(), []);
  const field = accountFields[focus] ?? 'address';
  const enter = (text: string) => {
    if (trial) return;
    setEntries({ ...entries, [field]: text });
    setRefusal(undefined);
  };
  const move = (steps: number) => setFocus((focus + steps + accountFields.length) % accountFields.length);
  const send = async () => {
    if (trial) return;
    const empty = accountFields.find((name) => entries[name].trim() === '');
    if (empty === field) return setRefusal({ field, says: missing[field] });
    if (empty) return setFocus(accountFields.indexOf(empty));
    const begun = new AbortController();
    setTrial(begun);
    setRefusal(undefined);
    const refused = await connect(entries, begun.signal);
    if (begun.signal.aborted) return;
    setTrial(undefined);
    if (refused === undefined) return done();
    setRefusal(refused);
    setFocus(accountFields.indexOf(refused.field));
  };
  const leave = () => {
    if (!trial) return close();
    trial.abort();
    setTrial(undefined);
  };
  useKeys(
    'account',
    { send: () => void send(), next: () => move(1), previous: () => move(-1), clear: () => enter(''), close: leave },
    // A paste may end with a line feed.
    { typing: true, onPaste: (text) => enter((entries[field] + text).trim()) },
  );
  const { secret, bad } = marksOf(theme);
  const says = (text: string, role: 'bad' | 'dim') => saidLines(theme, text, width - 4, role, 3);
  const where = `${configFile}, the token in a file beside it that only you can read`;
  const said = [
    ...(trial ? says(`Trying ${entries.address} … ${keyLabel('account.close', 'esc')} stops.`, 'dim') : []),
    ...(refusal?.tried === undefined ? [] : says(`Tried: ${refusal.tried}`, 'dim')),
    ...(refusal ? says(`${bad} ${refusal.says}`, 'bad') : []),
    ...(trial || refusal
      ? []
      : says(`The token is tried with one request, and then saved with the address: ${where}.`, 'dim')),
  ];
  return (
    <Pane title="Your account" width={width} height={height}>
      {accountFields.map((name) => (
        <PromptLine
          key={name}
          lead={pointerOf(theme, name === field)}
          label={` ${cell(labels[name], labelWidth)}`}
          tone="plain"
          value={entries[name]}
          change={enter}
          isFocused={name === field && !trial}
          mask={name === 'token' ? secret : undefined}
          placeholder={name === 'address' ? 'https://api.example.com' : ''}
          width={width - 2}
        />
      ))}
      <Lines of={['', ...said]} />
    </Pane>
  );
}
