import { Box } from 'ink';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { Line } from '../components/Line.tsx';
import { useTheme } from '../components/theme.ts';
import { isInProgress } from '../resources/account/events.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Accounts } from '../store/accounts/accounts.ts';
import { type Place, placeKey, placeOf } from '../store/navigation.ts';
import type { Notice } from '../store/notices.ts';
import { openSteps } from '../store/plans/plan.ts';
import { waitUntil } from '../store/session.ts';
import type { Stores } from '../store/stores.ts';
import { openView, userView } from '../store/views/userViews.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { clockTime } from '../text/times.ts';
import { counted, listed } from '../text/words.ts';
import { AccountsScreen } from './accounts/AccountsScreen.tsx';
import { readOnlyReason } from './choices.ts';
import { customLists, customOverviews } from './custom/index.ts';
import { DetailScreen } from './DetailScreen.tsx';
import { Banner, bannerLines, Footer, useBanner } from './Footer.tsx';
import { FleetScreen } from './fleet/FleetScreen.tsx';
import { Comparison } from './graphs/Comparison.tsx';
import { Header, useSecondsUntil } from './Header.tsx';
import { HomeScreen } from './home/HomeScreen.tsx';
import { useAround, useIsShown, useKeyboard, useKeys } from './keyboard.tsx';
import type { Key } from './keys/layer.ts';
import { openShells } from './leads.ts';
import { ListScreen } from './list/ListScreen.tsx';
import { OverlayPane, overlayRoom } from './OverlayPane.tsx';
import { PopupContext } from './page/Pane.tsx';
import { CoveredContext } from './page/usePage.ts';
import { goToJournal } from './places.ts';
import { WithMinSize } from './terminal/window.tsx';
import { changeLine, planLine, transferLine } from './transfers/changeLines.ts';
import { endWarning, progressOf, useProgress, useStopping } from './transfers/useProgress.ts';
import { type Size, useAppContext, useNavigation, useStores } from './useStores.ts';
import { askAboutRecords, isOfZone, openZone } from './zone.ts';

/** The whole screen: header, current place, overlay, banner and footer. */
export function App() {
  const stores = useStores();
  const quit = useGlobalKeys();
  useEndingSentences();
  useViewKeys();
  useEffect(() => {
    stores.events.start();
    stores.notifications.start();
  }, [stores]);
  const banner = useBanner();
  // A question explains any other key, and needs the lines.
  const isAsked = useIsShown('other');
  const running = useProgress(({ running }) => running);
  const sent = useProgress(({ sent }) => sent);
  return (
    <WithMinSize quit={quit} says={banner?.text}>
      {({ columns, rows }) => {
        const notice = banner ? bannerLines(banner.text, columns, isAsked ? 1 : undefined) : [];
        const height = rows - 2 - notice.length - (sent > 0 ? 1 : 0);
        return (
          <>
            <Header width={columns} />
            <Body width={columns} height={height} />
            {sent > 0 ? <ProgressLine width={columns} /> : null}
            {banner ? <Banner tone={banner.tone} lines={notice} /> : null}
            <Footer width={columns} running={running} />
          </>
        );
      }}
    </WithMinSize>
  );
}

/** The current place and, over it, the topmost overlay. */
const Body = memo(function Body({ width, height }: Size) {
  const place = useNavigation(placeOf);
  const overlay = useNavigation(({ overlays }) => overlays.findLast(({ kind }) => kind !== 'filter'));
  const covers = overlay ? overlayRoom(overlay, width, height) : undefined;
  const isWhole = covers?.height === height;
  return (
    <Box width={width} height={height}>
      {isWhole ? null : (
        <CoveredContext value={covers?.covers ?? 0}>
          <PlaceScreen key={placeKey(place)} place={place} width={width} height={height} />
        </CoveredContext>
      )}
      {overlay && covers ? (
        <PopupContext value={isWhole ? undefined : width}>
          <Box position="absolute" width={width} height={height} flexDirection="column" justifyContent="flex-end">
            <OverlayPane overlay={overlay} width={covers.width} height={covers.height - covers.frame} />
          </Box>
        </PopupContext>
      ) : null}
    </Box>
  );
});

const PlaceScreen = memo(function PlaceScreen({ place, ...room }: Size & { place: Place }) {
  if (place.screen === 'home') return <HomeScreen {...room} />;
  if (place.screen === 'fleet') return <FleetScreen {...room} />;
  if (place.screen === 'accounts') return <AccountsScreen {...room} />;
  if (place.screen === 'compare') return <Comparison resource={place.resource} ids={place.ids} {...room} />;
  const resource = resourceNamed(place.resource);
  if (place.screen === 'list') {
    const List = (resource.screen && customLists[resource.screen]) || ListScreen;
    return <List resource={resource} params={place.params} view={place.view} {...room} />;
  }
  const Page = place.tab === 'overview' && resource.screen && customOverviews[resource.screen];
  if (Page) return <Page resource={resource} params={place.params} {...room} />;
  return <DetailScreen resource={resource} params={place.params} tab={place.tab} {...room} />;
});

/** The sentence of a key ends with the next that does something: a plain one with any, a refusal where another thing opens. */
function useEndingSentences(): void {
  const { navigation, notices } = useStores();
  const ofKey = useRef<Notice>(undefined);
  const around = useCallback(
    <T,>(run: () => T): T => {
      const { current: before } = notices.getState();
      const isHere = navigation.here();
      if (before?.tone === 'plain') notices.end(before.text);
      const shown = notices.getState().current;
      const answer = run();
      const after = notices.getState().current;
      if (after !== shown) ofKey.current = after;
      else if (after && after === ofKey.current && !isHere()) notices.end(after.text);
      return answer;
    },
    [navigation, notices],
  );
  useAround(around);
}

/** The keys of every place; returns the way to quit. */
function useGlobalKeys(): () => void {
  const context = useAppContext();
  const { stores, accounts, suspend } = context;
  const { ofPlace } = useKeyboard();
  const { navigation, scheduler, events, notices } = stores;
  const { stopSending, pause } = useStopping();
  const place = useNavigation(placeOf);
  const { screen } = place;
  const about = 'resource' in place ? place.resource : undefined;
  const isFirst = useNavigation(({ at }) => at === 0);
  const isLast = useNavigation(({ at, trail }) => at === trail.length - 1);
  const lastWarning = useRef('');
  /** Quits; with requests under way or unsent drafts it warns first and quits the second time. */
  const quit = () => {
    const { drafts } = navigation.getState();
    const warning = endWarning(stores, progressOf(stores));
    const titles = Object.values(drafts).map(({ title }) => title);
    const elsewhere = leftElsewhere(accounts);
    const steps = openSteps(stores.plans.getState());
    const id = [warning?.of, ...Object.keys(drafts), ...elsewhere, ...steps.map((step) => `step ${step.id}`)].join();
    const isAlone = warning === undefined && elsewhere.length === 0;
    const text = [
      warning?.says,
      draftWarning(titles, isAlone),
      elsewhere.length === 0
        ? ''
        : `Other accounts have work that is not done (${listed(elsewhere, 3)}); ${keyLabel('everywhere.quit', 'q')} once more quits.`,
      steps.length > 0 ? stores.plans.farewell(counted(steps.length, 'step')) : '',
    ]
      .filter(Boolean)
      .join(' ');
    if (text === '' || id === lastWarning.current) {
      context.quit();
      return;
    }
    lastWarning.current = id;
    notices.say('plain', text);
  };
  const next = (way: 'undo' | 'redo') => {
    const isHere = navigation.here();
    void import('../store/changes/nextBack.ts').then((late) => late.nextBack(stores, way, isHere));
  };
  useKeys('everywhere', {
    palette: () => navigation.open({ kind: 'palette' }),
    help: () => navigation.open({ kind: 'help' }),
    fleet: screen === 'fleet' ? 'These are the fleet graphs.' : () => navigation.go({ screen: 'fleet' }),
    journal: () => goToJournal(stores, progressOf(stores).running > 0),
    stopSending: stopSending ?? Object.assign(() => void sayNothingSent(stores), { refuses: nothingSent }),
    pause: pause ?? 'Nothing that can be paused is under way.',
    escape:
      screen === 'home' && isFirst ? `This is Home; ${keyLabel('everywhere.quit', 'q')} quits.` : () => navigation.up(),
    back: isFirst ? 'This is the first place.' : () => navigation.back(),
    forward: isLast ? 'This is the last place.' : () => navigation.forward(),
    refresh: () => {
      void scheduler.refresh();
      void events.poll();
      return 'Reading again what is on the screen …';
    },
    takeBack: () => next('undo'),
    redo: () => next('redo'),
    zone: isOfZone(about)
      ? () => openZone(context, ofPlace().subjects[0] ?? {})
      : 'There is no domain here whose zone could be edited.',
    nameServers:
      isOfZone(about) && !(screen === 'list' && about === 'domains')
        ? () => askAboutRecords(stores, ofPlace().subjects[0] ?? {})
        : 'There is no record here to ask name servers about.',
    shell:
      screen === 'list' && about === 'domains'
        ? 'A domain leads to no server; its records do.'
        : () => openShells(context, ofPlace().subjects[0] ?? {}),
    suspend: () =>
      suspend() ? undefined : `There is no shell to return to; ${keyLabel('everywhere.quit', 'q')} quits.`,
    notCompared: `${keyLabel('list.compare', 'v')} compares the servers or NodeBalancers that are marked in a list.`,
    readOnly: stores.api.readOnly ? readOnlyReason : undefined,
    quit,
  });
  return quit;
}

/** Says why there is nothing to stop, and what can be done about what has begun. */
async function sayNothingSent({ events, notices, view }: Stores): Promise<void> {
  const isBegun = () => view.events.some(isInProgress);
  // The event of what was sent just now may be still to come.
  if (!isBegun()) await events.poll();
  const back = `${keyLabel('everywhere.takeBack', 'u')} takes back what was sent from here, once it has ended`;
  notices.say('plain', isBegun() ? `The API cannot stop what has begun; ${back}.` : nothingSent);
}

const nothingSent = 'Nothing is being sent.';

function draftWarning(titles: readonly string[], isAlone: boolean): string {
  if (titles.length === 0) return '';
  const what = titles.length === 1 ? 'A kept draft is' : `${titles.length} kept drafts are`;
  return `${what} lost when you quit (${listed(titles)})${isAlone ? `; ${keyLabel('everywhere.quit', 'q')} once more quits` : ''}.`;
}

/** The line on every screen while anything is changed or transferred. */
function ProgressLine({ width }: { width: number }) {
  const theme = useTheme();
  const stores = useStores();
  const plan = useStore(stores.plans);
  useStore(stores.changes);
  useStore(stores.transfers);
  const { changes, transfers, sent } = progressOf(stores);
  const [change] = changes;
  const until = useStore(stores.session, waitUntil);
  const held = useSecondsUntil(until) > 0 ? ` asked to wait until ${clockTime(until, 8)} ` : '';
  const room = width - held.length;
  const own = change ? changeLine(theme, change, sent - 1, room) : transferLine(theme, transfers, room);
  return <Line text={(plan.run ? planLine(theme, plan, room) : own) + theme.paint('warn', held)} />;
}

/** Plans, changes and transfers under way, kept drafts and secrets of the accounts in the background: `Delete 24 volumes in work`. */
function leftElsewhere(accounts: Accounts): readonly string[] {
  const { current, opened } = accounts.getState();
  return Object.entries(opened).flatMap(([profile, { changes, transfers, navigation, plans }]) =>
    profile === current
      ? []
      : [
          ...(openSteps(plans.getState()).length > 0 ? ['a plan'] : []),
          ...changes.getState().changes.flatMap(({ title, isOver }) => (isOver ? [] : title)),
          ...transfers.getState().transfers.flatMap(({ what, state }) => (state === 'running' ? what : [])),
          ...Object.values(navigation.getState().drafts).map(({ title }) => title),
          ...navigation.getState().overlays.flatMap(({ kind }) => (kind === 'secret' ? ['secrets'] : [])),
        ].map((what) => `${what} in ${accounts.nameOf(profile)}`),
  );
}

/** The keys that the configuration gives to the user's own views. */
function useViewKeys(): void {
  const stores = useStores();
  const views = useStore(stores.configuration, (state) => state.views);
  const own = useMemo(() => {
    const keyed = Object.entries(views).flatMap(([name, { key }]) => (key === undefined ? [] : [[name, key] as const]));
    return keyed.map(([name, key]): [string, Key] => [name, { keys: [key], help: `view ${name}`, minor: true }]);
  }, [views]);
  const handlers = Object.fromEntries(
    own.map(([name]) => [
      name,
      () => openView(stores.navigation, userView(stores.configuration.getState().views, name)),
    ]),
  );
  useKeys('views', handlers, { own: Object.fromEntries(own) });
}
