import { type Instance, render } from 'ink';
import { vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import { ThemeContext, themeNamed } from '../../src/components/theme.ts';
import { noConfiguration } from '../../src/config/configuration.ts';
import type { Demo } from '../../src/demo/server.ts';
import { paramsOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Params, Resource, Row } from '../../src/resources/resource.ts';
import { App } from '../../src/screens/App.tsx';
import { KeyboardProvider } from '../../src/screens/keyboard.tsx';
import { placeOfArea } from '../../src/screens/places.ts';
import { AppContext } from '../../src/screens/useStores.ts';
import type { Target } from '../../src/store/changes/change.ts';
import { createSession } from '../../src/store/session.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { copySequence } from '../../src/terminal/capabilities.ts';
import { openFiles } from '../../src/terminal/files.ts';
import { openTerminal } from '../../src/terminal/terminal.ts';
import { colourInk, drawnOn, openScreen, type Screen } from '../screen.ts';
import { onlyAccount } from '../store/openStores.ts';
import { foreignIn, misplacedOn, withoutWebLinks } from './glass.ts';

/** The real dashboard on a screen, led from place to place by its stores. */
export interface Tour {
  screen: Screen;
  stores: Stores;
  /** Waits until nothing is being read, changed or carried and the screen stands still, and looks whether all is well on it. */
  look(where: string): Promise<void>;
  /** Presses keys, then looks. */
  press(...keys: string[]): Promise<void>;
  /** Mistakes so far, and their places; a step that finds more adds it. */
  readonly wrongs: string[];
  close(): Promise<void>;
}

/** Opens the dashboard on a screen of this size, to be closed in the end. */
export async function openTour(demo: Demo, columns: number, rows: number, files = openFiles(undefined)): Promise<Tour> {
  await colourInk(1);
  const screen = openScreen({ columns, rows });
  const session = createSession(Date.now);
  const api = connect({ baseUrl: demo.url, token: demo.tokens.full, onCall: session.noteCall });
  const settings = {
    profile: 'demo',
    readOnly: false,
    critical: false,
    refreshSeconds: 3600,
    theme: 'dark',
    ascii: false,
    color: true,
    demo: true,
  };
  const parts = { api, settings, session, files, configuration: noConfiguration };
  const stores = createStores({ parts, start: { screen: 'home' }, now: Date.now });
  const terminal = openTerminal(screen.stdin as never, screen.stdout as never);
  let frame = '';
  const stdout = new Proxy(terminal.stdout, {
    get: (target, name) => {
      if (name !== 'write') return Reflect.get(target, name, target);
      return (text: string, ...rest: unknown[]) => {
        const drawn = text.replace(/^(?:\x1b\[2K(?:\x1b\[1A)?)*\x1b\[G|^\x1b\[H\x1b\[[02]?J/, '');
        if (drawn.includes('\n')) frame = drawn;
        return Reflect.apply(target.write, target, [text, ...rest]);
      };
    },
  });
  const context = {
    stores,
    accounts: onlyAccount(stores),
    copy: (text: string) => void copySequence(text, {}),
    edit: async () => undefined,
    runShells: async () => [],
    suspend: () => false,
    quit: () => {},
  };
  let crash: unknown;
  let ink: Instance;
  let exited: Promise<unknown>;
  const mount = () => {
    ink = render(
      <ThemeContext value={themeNamed('dark', 'unicode', true)}>
        <AppContext value={context}>
          <KeyboardProvider>
            <App />
          </KeyboardProvider>
        </AppContext>
      </ThemeContext>,
      {
        stdin: terminal.stdin,
        stdout,
        exitOnCtrlC: false,
        patchConsole: false,
        alternateScreen: true,
        interactive: true,
        debug: true,
      },
    );
    exited = ink.waitUntilExit().catch((error: unknown) => {
      crash = error;
    });
  };
  mount();
  const wrongs: string[] = [];
  let seen = 0;
  const isBusy = () => {
    const { collections, answers } = stores.cache.getState();
    const isReading = [...Object.values(collections), ...Object.values(answers)].some(({ loading }) => loading);
    const isTransferring = stores.transfers.getState().transfers.some(({ state }) => state === 'running');
    return isReading || isTransferring || stores.changes.inflight.size > 0;
  };

  const look = async (place: string) => {
    const where = place.slice(0, 80);
    const until = Date.now() + 60_000;
    let length: number;
    const isMoving = () => isBusy() || length !== screen.bytes.length;
    do {
      await vi.waitUntil(() => !isBusy(), { interval: 5, timeout: Math.max(1, until - Date.now()) }).catch(() => {});
      length = screen.bytes.length;
      await drawnOn(stdout);
    } while (isMoving() && Date.now() < until);
    if (isMoving()) wrongs.push(`${where}: does not come to rest`);
    if (crash) {
      wrongs.push(`${where} crashed: ${(crash as Error).stack?.split('\n').slice(0, 5).join('\n')}`);
      crash = undefined;
      stores.navigation.go({ screen: 'list', resource: 'regions', params: {} });
      mount();
    }
    await screen.shown();
    const fresh = screen.bytes.slice(seen);
    seen = screen.bytes.length;
    const wrong = foreignIn(withoutWebLinks(fresh)) ?? misplacedOn(screen, frame);
    if (wrong) wrongs.push(`${where}: ${wrong}`);
  };

  const tour: Tour = {
    screen,
    stores,
    look,
    press: async (...keys) => {
      await screen.press(...keys);
      await look(keys.join(' '));
    },
    wrongs,
    close: async () => {
      ink.unmount();
      await exited;
      stores.close();
      await api.close();
    },
  };
  return tour;
}

/** Goes to where a resource has rows: below the first of a few rows of its parent that has any. */
export async function goToRows(tour: Tour, resource: Resource): Promise<Params> {
  const { stores } = tour;
  const { name, under, list } = resource;
  if (!under) {
    stores.navigation.go(placeOfArea(resource));
    await tour.look(name);
    return {};
  }
  const parent = resourceNamed(under);
  const above = await goToRows(tour, parent);
  let params: Params = above;
  for (const row of stores.view.rows(under, above).slice(0, 4)) {
    params = paramsOf(parent, row, above);
    stores.navigation.go(list ? { screen: 'list', resource: name, params } : placeOfArea(resource));
    await tour.look(name);
    if (stores.view.rows(name, params).length > 0) break;
  }
  return params;
}

/** Rows of a list as targets of actions. */
export const targetsOf = (resource: Resource, rows: readonly Row[], params: Params): readonly Target[] =>
  rows.map((row) => ({ row, params: paramsOf(resource, row, params) }));
