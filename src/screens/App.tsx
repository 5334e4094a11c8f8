import { Box, useWindowSize } from 'ink';
import { useEffect, useRef } from 'react';
import { Line } from '../components/Line.tsx';
import { useTheme } from '../components/theme.ts';
import { resourceNamed } from '../resources/index.ts';
import { whyNotBack } from '../store/changes/whyNotBack.ts';
import { placeKey, placeOf } from '../store/navigation.ts';
import { openSteps } from '../store/plans/plans.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { counted, listed } from '../text/words.ts';
import { AccountsScreen } from './accounts/AccountsScreen.tsx';
import { elsewhereWarning, leftElsewhere } from './accounts/leftElsewhere.ts';
import { customLists, customOverviews } from './custom/index.ts';
import { DetailScreen } from './DetailScreen.tsx';
import { Banner, bannerLines, Footer, useBanner } from './Footer.tsx';
import { FleetScreen } from './fleet/FleetScreen.tsx';
import { Comparison } from './graphs/Comparison.tsx';
import { Header } from './Header.tsx';
import { HomeScreen } from './home/HomeScreen.tsx';
import { useKeys, useKeysOfPlace } from './keyboard.tsx';
import { readOnlyReason } from './keys/reasons.ts';
import { ListScreen } from './list/ListScreen.tsx';
import { OverlayPane, overlaySize } from './OverlayPane.tsx';
import type { Size } from './props.ts';
import { SidePanel } from './SidePanel.tsx';
import { openShells } from './shells.ts';
import { isTooSmall, TooSmall } from './TooSmall.tsx';
import { changeLine } from './transfers/changeLines.ts';
import { transferLine } from './transfers/transferLines.ts';
import { type SendProgress, useProgress } from './transfers/useProgress.ts';
import { useAppContext, useNavigation, useStores } from './useStores.ts';
import { useViewKeys } from './views/useViewKeys.ts';

/** The whole screen: header, current place, overlay, banner and footer. */
export function App() {
  const { columns, rows } = useWindowSize();
  const stores = useStores();
  useGlobalKeys();
  useViewKeys();
  useEffect(() => {
    stores.events.start();
    stores.notifications.start();
  }, [stores]);
  const banner = useBanner();
  const progress = useProgress();
  if (isTooSmall(columns, rows)) return <TooSmall columns={columns} rows={rows} />;
  const notice = banner ? bannerLines(banner.text, columns) : [];
  const height = rows - 2 - notice.length - (progress.count > 0 ? 1 : 0);
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Header width={columns} />
      <Body width={columns} height={height} />
      {progress.count > 0 ? <ProgressLine progress={progress} width={columns} /> : null}
      {banner ? <Banner tone={banner.tone} lines={notice} /> : null}
      <Footer width={columns} running={progress.count} />
    </Box>
  );
}

/** Cells. */
interface Room extends Size {}

/** The current place and, beside or below it, the topmost overlay. */
function Body({ width, height }: Size) {
  const place = useNavigation(placeOf);
  const overlay = useNavigation(({ overlays }) => overlays.findLast(({ kind }) => kind !== 'filter'));
  const size = overlay ? overlaySize(overlay, width, height) : undefined;
  const below = size?.side === 'below' ? size.cells : 0;
  const beside = size?.side === 'beside' ? size.cells : 0;
  const room = { width: width - beside, height: height - below };
  return (
    <Box flexDirection={beside > 0 ? 'row' : 'column'} width={width} height={height}>
      {room.width > 0 && room.height > 0 ? (
        <Box width={room.width} height={room.height} flexShrink={0}>
          <PlaceScreen key={placeKey(place)} room={room} whole={{ width, height }} />
        </Box>
      ) : null}
      {overlay ? (
        <SidePanel width={beside || width} height={below || height} line={beside > 0}>
          <OverlayPane overlay={overlay} width={beside > 0 ? beside - 1 : width} height={below || height} />
        </SidePanel>
      ) : null}
    </Box>
  );
}

function PlaceScreen({ room, whole }: { room: Room; whole: Room }) {
  const place = useNavigation(placeOf);
  if (place.screen === 'home') return <HomeScreen {...room} whole={whole} />;
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
}

function useGlobalKeys(): void {
  const context = useAppContext();
  const { stores, accounts, suspend } = context;
  const keysOfPlace = useKeysOfPlace();
  const { navigation, scheduler, events, notices } = stores;
  const { stopSending, warning } = useProgress();
  const screen = useNavigation((state) => placeOf(state).screen);
  const isFirst = useNavigation(({ at }) => at === 0);
  const isLast = useNavigation(({ at, trail }) => at === trail.length - 1);
  const lastWarning = useRef('');
  /** Quits; with requests under way or unsent drafts it warns first and quits the second time. */
  const quit = () => {
    const { drafts } = navigation.getState();
    const titles = Object.values(drafts).map(({ title }) => title);
    const elsewhere = leftElsewhere(accounts);
    const id = [
      warning?.of,
      ...Object.keys(drafts),
      ...elsewhere,
      ...openSteps(stores.plans.getState()).map(({ id }) => `step ${id}`),
    ].join();
    const isAlone = warning === undefined && elsewhere.length === 0;
    const planned = openSteps(stores.plans.getState()).length;
    const text = [
      warning?.says,
      draftWarning(titles, isAlone),
      elsewhereWarning(elsewhere),
      planned > 0 ? stores.plans.farewell(counted(planned, 'step')) : '',
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
  useKeys('everywhere', {
    palette: () => navigation.open({ kind: 'palette' }),
    help: () => navigation.open({ kind: 'help' }),
    notices: () => navigation.open({ kind: 'notices' }),
    changed: () => navigation.open({ kind: 'keptChanges' }),
    fleet: screen === 'fleet' ? 'These are the fleet graphs.' : () => navigation.go({ screen: 'fleet' }),
    transfers: () => navigation.open({ kind: 'transfers' }),
    stopSending: stopSending ?? 'Nothing is being sent.',
    escape:
      screen === 'home' && isFirst ? `This is Home; ${keyLabel('everywhere.quit', 'q')} quits.` : () => navigation.up(),
    back: isFirst ? 'This is the first place.' : () => navigation.back(),
    forward: isLast ? 'This is the last place.' : () => navigation.forward(),
    refresh: () => {
      void scheduler.refresh();
      void events.poll();
      return 'Reading again what is on the screen …';
    },
    takeBack: () => {
      const why = whyNotBack(stores);
      if (why !== undefined) notices.say('plain', why);
      else void import('../store/changes/takeBack.ts').then((late) => late.takeBackLast(stores));
    },
    shell: () => openShells(context, keysOfPlace().subjects[0] ?? {}),
    suspend: () =>
      suspend() ? undefined : `There is no shell to return to; ${keyLabel('everywhere.quit', 'q')} quits.`,
    notCompared: `${keyLabel('list.compare', 'v')} compares the servers or NodeBalancers that are marked in a list.`,
    readOnly: stores.api.readOnly ? readOnlyReason : undefined,
    quit,
  });
}

/** Warns of the drafts that quitting discards. */
function draftWarning(titles: readonly string[], isAlone: boolean): string {
  if (titles.length === 0) return '';
  const what = titles.length === 1 ? 'A kept draft is' : `${titles.length} kept drafts are`;
  return `${what} lost when you quit (${listed(titles)})${isAlone ? `; ${keyLabel('everywhere.quit', 'q')} once more quits` : ''}.`;
}

/** The line on every screen while anything is changed or transferred. */
function ProgressLine({ progress, width }: { progress: SendProgress; width: number }) {
  const theme = useTheme();
  const { changes, transfers, count } = progress;
  const [change] = changes;
  return <Line text={change ? changeLine(theme, change, count - 1, width) : transferLine(theme, transfers, width)} />;
}
