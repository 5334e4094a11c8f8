import { Box } from 'ink';
import { useRef } from 'react';
import { useStore } from 'zustand';
import { Line } from '../components/Line.tsx';
import { type Hue, marksOf, type Theme, useTheme } from '../components/theme.ts';
import { resourceNamed } from '../resources/index.ts';
import { cachedRow } from '../store/changes/change.ts';
import { keptAtOf } from '../store/changes/freshRows.ts';
import { type Place, placeOf } from '../store/navigation.ts';
import { openSteps } from '../store/plans/plan.ts';
import { type PlansState, stoppedAt } from '../store/plans/plans.ts';
import { queryKey, viewQuery } from '../store/queries.ts';
import { modeOf, waitUntil } from '../store/session.ts';
import type { Stores } from '../store/stores.ts';
import { clean, cut, widthOf } from '../text/cells.ts';
import { ageText, clockTime, earliest, momentWords, type Timestamp } from '../text/times.ts';
import { capitalized, textIn } from '../text/words.ts';
import { tileResources } from './home/useHomeData.ts';
import { placeOfArea, placeOfRow, tabWith } from './places.ts';
import { useRegion } from './terminal/mouse.tsx';
import { useNavigation, useStores, useTicks } from './useStores.ts';

/** The first line: profile and place at the left, the health of the API at the right. */
export function Header({ width }: { width: number }) {
  const stores = useStores();
  const theme = useTheme();
  const place = useNavigation(placeOf);
  // Its times are drawn with the next poll of the events, so that a key redraws only what it moves.
  useStore(stores.session, ({ answeredAt }) => answeredAt === undefined);
  useStore(stores.events, ({ polledAt }) => polledAt);
  const session = stores.session.getState();
  const latency = useSteady(session.latency, 5);
  const wait = useSecondsUntil(useStore(stores.session, waitUntil));
  const { settings } = stores;
  const hue = useStore(stores.configuration, ({ color }) => color);
  const separator = ` ${marksOf(theme).within} `;
  // The label of a row takes the place of its id once it is read.
  const where = useStore(stores.cache, () =>
    breadcrumbs(stores.view, place)
      .map(({ text }) => text)
      .join(separator),
  );

  const { critical, tlsWarning = '', accountOf = '' } = settings;
  const keptAt = useStore(stores.cache, () => keptPlaceAt(stores.cache, place));
  const kept = keptAt === undefined ? '' : `kept ${momentWords(keptAt, stores.now())}`;
  const plan = useStore(stores.plans, planText);
  const modes = [critical ? 'CRITICAL' : '', tlsWarning, accountOf, modeOf(stores), plan, kept]
    .filter(Boolean)
    .join(', ');
  // Without a profile the host and the company say which account it is, once this was read.
  const company = useStore(stores.cache, () => settings.host && textIn(stores.view.rows('account')[0]?.company));
  const free = width - 11 - (modes ? modes.length + 2 : 0);
  const owner = settings.host ?? settings.profile;
  // The place comes before the company and the latency.
  const right = settings.screenReader ? '' : statusText(free - widthOf([owner, where].join(separator)) - 2);
  const room = free - widthOf(right) - 2;
  const longer = company ? `${owner} · ${clean(company)}` : owner;
  const account = widthOf([longer, where].join(separator)) <= room ? longer : owner;
  const crumb = cut([account, where].join(separator), Math.max(8, room));
  const blank = ' '.repeat(Math.max(1, free - widthOf(crumb) - widthOf(right)));
  const name = ` ${theme.paint('title', theme.paint(critical ? 'bad' : 'accent', 'skydeck'))} `;
  const mode = modes ? `  ${theme.paint(critical || tlsWarning ? 'bad' : 'warn', modes)}` : '';
  const named = withProfile(theme, hue, account, crumb);
  const region = useRegion('everywhere', {
    onClick: ({ column }) => {
      if (column >= crumbsFrom + widthOf(crumb)) return;
      const crumbs = [{ text: account, to: { screen: 'home' } as const }, ...breadcrumbs(stores.view, place)];
      const at = crumbAt(crumbs, column - crumbsFrom);
      if (at) stores.navigation.go(at.to);
    },
  });
  return (
    <Box ref={region} width={width} height={1}>
      <Line text={`${name} ${named}${mode}${blank}${theme.paint('dim', right)}`} />
    </Box>
  );

  function statusText(cells: number): string {
    const now = stores.now();
    const parts = [
      wait > 0 ? `asked to wait ${wait} s` : '',
      latency === undefined ? '' : `${Math.round(latency)} ms`,
      width >= 100 && session.answeredAt !== undefined ? `${ageText(now - session.answeredAt)} ago` : '',
    ].filter(Boolean);
    const text = `${parts.join(' · ')}  ${clockTime(now)} `;
    return widthOf(text) > cells && wait === 0 ? ` ${clockTime(now)} ` : text;
  }
}

/** The column of the first breadcrumb, and the cells between two. */
const crumbsFrom = 10;
const crumbGap = 3;

/** The breadcrumb at a cell after the first one's begin. */
function crumbAt(crumbs: readonly Crumb[], column: number): Crumb | undefined {
  let left = 0;
  return crumbs.find(({ text }) => {
    const begin = left;
    left += widthOf(text) + crumbGap;
    return column >= begin && column < left - crumbGap;
  });
}

/** A value that follows another only where it differs by a quarter and by more than `minChange`, so that it does not flicker. */
function useSteady(value: number | undefined, minChange: number): number | undefined {
  const shown = useRef(value);
  const before = shown.current;
  const isNew =
    before === undefined || value === undefined || Math.abs(value - before) > Math.max(minChange, before / 4);
  if (isNew) shown.current = value;
  return shown.current;
}

/** Counts down the whole seconds until a time in ms since the epoch; 0 from then on. */
export function useSecondsUntil(time: number): number {
  const { now } = useStores();
  const left = Math.max(0, time - now());
  useTicks(left === 0 ? undefined : left % 1000 || 1000);
  return Math.ceil(left / 1000);
}

/** A breadcrumb, and the place that it leads to. */
interface Crumb {
  text: string;
  to: Place;
}

/** The breadcrumbs of a place, outermost first; the last leads mostly to the place itself. */
export function breadcrumbs(view: Stores['view'], place: Place): readonly Crumb[] {
  if (!('resource' in place)) return [{ text: capitalized(place.screen), to: place }];
  const { many } = resourceNamed(place.resource);
  if (place.screen === 'compare')
    return [
      { text: many, to: placeOfArea(resourceNamed(place.resource)) },
      { text: 'Compare', to: place },
    ];
  if (place.screen === 'list') return [many, place.view ?? []].flat().map((text) => ({ text, to: place }));
  const chain: Crumb[] = [];
  for (let name: string | undefined = place.resource; name; name = resourceNamed(name).under) {
    const resource = resourceNamed(name);
    const { under, param } = resource;
    const row = cachedRow(view, resource, place.params);
    const label = row ? resource.label(row) : place.params[param];
    const paramsOf = (one: string) => viewQuery(resourceNamed(one), place.params).params;
    const tab = tabWith(resource) ?? 'overview';
    const list: Place = under
      ? { screen: 'detail', resource: under, params: paramsOf(under), tab }
      : placeOfArea(resource);
    chain.unshift(
      { text: resource.many, to: list },
      ...(label ? [{ text: label, to: placeOfRow(resource, paramsOf(name)) }] : []),
    );
  }
  return chain;
}

/** A line that begins with the name of a profile, the name in the colour that the configuration has for it. */
export function withProfile(theme: Theme, hue: Hue | undefined, profile: string, line: string): string {
  if (hue === undefined) return line;
  const name = line.startsWith(profile) ? profile : line;
  return theme.hue(hue, name) + line.slice(name.length);
}

/** The steps that are left of the plan, and whether it stands still halfway. */
function planText(plans: PlansState): string {
  const left = openSteps(plans).length;
  return left === 0 ? '' : `plan ${left}${stoppedAt(plans) ? ' stopped' : ''}`;
}

/** Of when the data of a place is, where an earlier session has read it. */
function keptPlaceAt(cache: Stores['cache'], place: Place): Timestamp | undefined {
  const { collections } = cache.getState();
  const keptAt = (resource: string, params: Record<string, string> = {}, operation = 'list') =>
    collections[queryKey({ resource, operation, params })]?.keptAt;
  if (place.screen === 'accounts') return undefined;
  if (place.screen === 'detail') return keptAtOf(cache, resourceNamed(place.resource), place.params);
  if (place.screen === 'fleet') return keptAt('servers');
  if (place.screen === 'home') return earliest(tileResources.map((name) => keptAt(name)));
  if (place.screen === 'compare') return keptAt(place.resource);
  const { sections = [] } = resourceNamed(place.resource);
  const operations = sections.length > 0 ? sections.map(({ operation }) => operation) : ['list'];
  return earliest(operations.map((operation) => keptAt(place.resource, place.params, operation)));
}
