import { isInProgress } from '../../resources/account/events.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import type { Params, Resource, Row } from '../../resources/resource.ts';
import { cell, clean, wrapCells } from '../../text/cells.ts';
import { finishedWords, glyphOf, lineOfEvents, progressLine } from '../home/eventTiles.ts';
import { nameSpan, noteLine, pointerSpan, type TileLine, type TileLink } from '../home/tile.ts';
import { placeOfOwn } from '../places.ts';
import type { OverviewBlock } from './layout.ts';

/** No screen has room for more. */
const maxEvents = 40;

/** The last finished events of a row. */
export function eventsBlock(
  own: readonly Row[],
  resource: Resource,
  params: Params,
  noneText: string,
  width: number,
): OverviewBlock {
  const past = own.filter((event) => !isInProgress(event));
  const none = noteLine('events:none', noneText);
  return {
    name: 'events',
    title: 'Events',
    figures: [],
    link: { place: { screen: 'detail', resource: resource.name, params, tab: 'history' } },
    lines:
      past.length > 0
        ? past.slice(0, maxEvents).flatMap((event) => [eventLine(event), ...messageLines(event, width)])
        : [none],
    omitted: Math.max(0, past.length - maxEvents),
    usual: 5,
  };
}

const maxMessageLines = 3;

/** Why an event failed, below its line. */
function messageLines({ id, message, status }: Row, width: number): readonly TileLine[] {
  if (status !== 'failed' || typeof message !== 'string' || message === '') return [];
  return wrapCells(clean(message), Math.max(8, width - 13))
    .slice(0, maxMessageLines)
    .map((text, index) => ({
      id: `event:${id}:${index}`,
      draw: () => [{ text: `${' '.repeat(13)}${text}`, role: 'dim' }],
    }));
}

const events = resourceNamed('events');

const linkToItself = (event: Row): TileLink => ({ place: placeOfOwn(events, event) });

/** An event in progress; it leads to the event, for its object is here. */
export const jobLine = memoize((event: Row): TileLine => ({ ...progressLine(event), link: linkToItself(event) }));

/** A finished event: outcome, age, action, user and duration. */
const eventLine = lineOfEvents((event, context, isCurrent) => {
  const { width } = context;
  const { status, age, action, duration, user } = finishedWords(event, context);
  const isWide = width >= 62;
  return [
    pointerSpan(context, isCurrent),
    { text: cell(glyphOf(status.text), 2), role: status.role },
    { text: age, role: 'dim' },
    { text: '  ' },
    nameSpan(cell(action, isWide ? Math.min(30, width - 38) : 18), isCurrent),
    { text: `  ${cell(user, isWide ? 12 : 10)}` },
    { text: isWide ? cell(duration, 11, 'right') : '', role: 'dim' },
  ];
}, linkToItself);
