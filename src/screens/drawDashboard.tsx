import { render, useApp } from 'ink';
import { type ReactNode, useEffect, useLayoutEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { CaretContext, createCaretBoxes, createLateBoxes, LateContext } from '../components/boxes.ts';
import { ThemeContext, themeNamed } from '../components/theme.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import type { Stores } from '../store/stores.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { setUserKeyLabels } from '../text/keyLabel.ts';
import { App } from './App.tsx';
import { KeyboardProvider, useUserKeymap } from './keyboard.tsx';
import { changedKeys } from './keys/userKeys.ts';
import { createMouse, MouseContext, MouseKeys } from './terminal/mouse.tsx';
import { inkOptions, watchWindow } from './terminal/window.tsx';
import { AppContext, type AppContextValue, drawnOncePerTurn } from './useStores.ts';
import type { WatchOptions } from './watch/rotation.ts';

/** Options of `drawDashboard`. */
export interface DrawOptions extends Omit<AppContextValue, 'stores' | 'accounts' | 'quit'> {
  terminal: Terminal;
  /** The wall monitor instead of the dashboard. */
  watch?: WatchOptions;
}

/** The interval between two polls of the events is this many times longer while the terminal has no focus. */
const unfocusedFactor = 4;

/**
 * Draws the dashboard, or the wall monitor, until the user quits; rejects when it crashes.
 * @param onDrawn called when the first frame is drawn and its screen has subscribed to its data
 */
export async function drawDashboard(
  accounts: Accounts,
  { terminal, watch, ...services }: DrawOptions,
  onDrawn: () => void,
): Promise<void> {
  const background = createStore(() => ({ isLight: terminal.isLight }));
  const mouse = createMouse();
  const carets = createCaretBoxes(terminal.caretComes, terminal.caretChanged);
  const late = createLateBoxes();
  const WatchApp = watch && (await import('./watch/WatchApp.tsx')).WatchApp;
  const wall =
    watch && (await import('./watch/wall.ts')).createWall(accounts, watch.onCritical, accounts.current().now);
  const ink = render(<Dashboard />, inkOptions(terminal));
  await ink.waitUntilExit();

  /** The account on the screen; another one begins with screens of its own, under the same keyboard. */
  function Dashboard() {
    const profile = useStore(accounts, (state) => state.current);
    const stores = accounts.current();
    useEffect(() => wall?.start(), []);
    return (
      <ChosenTheme stores={stores} terminal={terminal} background={background}>
        <AppContext value={useContextOf(stores)}>
          <TerminalEvents stores={stores} />
          <UserKeyboard stores={stores} isActive={Boolean(terminal.stdin.isTTY)}>
            <MouseContext value={mouse}>
              <MouseKeys />
              <CaretContext value={carets}>
                <LateContext value={late}>
                  {WatchApp && wall ? <WatchApp key={profile} {...watch} wall={wall} /> : <App key={profile} />}
                </LateContext>
              </CaretContext>
            </MouseContext>
          </UserKeyboard>
        </AppContext>
      </ChosenTheme>
    );
  }

  /** The stores and the terminal's services as the screens have them. */
  function useContextOf(stores: Stores): AppContextValue {
    const { exit } = useApp();
    return useMemo(() => {
      // An answer that comes after the end would be typed into the shell.
      const quit = () => void Promise.resolve(terminal.answered()).then(() => exit());
      return { ...services, stores: drawnOncePerTurn(stores), accounts, quit };
    }, [stores, exit]);
  }

  /** Polls less while the terminal has no focus (the wall monitor excepted), and not at all while suspended. */
  function TerminalEvents({ stores }: { stores: Stores }) {
    const { suspendTerminal } = useApp();
    useEffect(onDrawn, []);
    useEffect(() => {
      terminal.listen({
        onFocus: (hasFocus) => stores.events.setIntervalFactor(hasFocus || watch ? 1 : unfocusedFactor),
        onHidden: accounts.pause,
        onBackground: (isLight) => background.setState({ isLight }),
        onMouse: mouse.take,
        caretArea: carets.place,
        lateCells: late.place,
        suspend: () => suspendTerminal(),
      });
    }, [stores, suspendTerminal]);
    useEffect(() => watchWindow(stores, terminal), [stores]);
    return null;
  }
}

interface ChosenThemeProps {
  stores: Stores;
  terminal: Terminal;
  background: StoreApi<{ isLight: boolean }>;
  children: ReactNode;
}

/** Provides the theme: one chosen within the session, else that of the terminal where nobody has chosen one before. */
function ChosenTheme({ stores, terminal, background, children }: ChosenThemeProps) {
  const { settings, session, configuration } = stores;
  const chosen = useStore(session, (state) => state.theme);
  const own = useStore(configuration, ({ theme }) => theme);
  const isLight = useStore(background, (state) => state.isLight);
  const follows = settings.followsBackground ?? true;
  const name = chosen ?? own ?? (isLight && follows ? 'light' : settings.theme);
  const theme = useMemo(() => {
    const glyphs = settings.ascii ? 'ascii' : 'unicode';
    return themeNamed(name, glyphs, settings.color, settings.colorDepth);
  }, [name, settings]);
  useLayoutEffect(() => terminal.tintAtRest(theme.rows.current), [terminal, theme]);
  // After the first frame is drawn and the keyboard, which stands below it, is read.
  useEffect(() => terminal.ask(), [terminal]);
  return <ThemeContext value={theme}>{children}</ThemeContext>;
}

/** The keyboard with the keys of the configuration, also of one that is read again. */
function UserKeyboard({ stores, isActive, children }: { stores: Stores; isActive: boolean; children: ReactNode }) {
  const { layers } = useUserKeymap(stores);
  // Before anything below is drawn that names a key.
  useMemo(() => setUserKeyLabels(changedKeys(layers)), [layers]);
  useEffect(() => () => setUserKeyLabels({}), []);
  return (
    <KeyboardProvider isActive={isActive} layers={layers} onKey={stores.notices.pressed}>
      {children}
    </KeyboardProvider>
  );
}
