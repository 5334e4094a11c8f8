import { Box } from 'ink';
import { useRef } from 'react';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Collection, idOf } from '../../store/records.ts';
import { wrapCells } from '../../text/cells.ts';
import { begin } from '../actions.ts';
import { useKeys } from '../keyboard.tsx';
import { layoutOf, measured, type RowPen, rowLine } from '../list/rowLines.ts';
import { useRowsInChange } from '../list/useRowsInChange.ts';
import type { OwnProps } from '../ownProps.ts';
import { placeOfRow } from '../places.ts';
import { useCacheView } from '../useCacheView.ts';
import { useDeck, useEvents, useView } from '../useDeck.ts';
import { movesOf, useScroll } from '../useScroll.ts';
import { type Branch, branchesOf, configLine, headOf } from './balancerBranches.ts';
import { useCollections } from './useCollections.ts';

/** The ports of a NodeBalancer with their nodes below them and the health of both. */
export function BalancerTree({ params, width, height }: OwnProps) {
  const { api } = useDeck();
  const theme = useTheme();
  const events = useEvents();
  const resource = resourceNamed('nodebalancer-nodes');
  const known = useCacheView(resource);
  const { configs, branches } = useBranches(params);
  const [view, setView] = useView(`${resource.name}:tree:${JSON.stringify(params)}`);
  const last = useRef(0);
  const found = branches.findIndex(({ key }) => key === view.cursor);
  // Where what was chosen is gone, the cursor stays at its place.
  const cursor = found >= 0 ? found : Math.max(0, Math.min(last.current, branches.length - 1));
  last.current = cursor;
  const choose = (branch: Branch | undefined) => setView({ cursor: branch?.key });
  const body = Math.max(1, height - 1);
  const top = useScroll(branches.length, cursor, body);
  const moves = movesOf(cursor, branches.length, body, (index) => choose(branches[index]));
  const current = branches[cursor];
  useTreeKeys(current, params, moves, () => choose(current));

  const nodes = branches.flatMap(({ kind, row }) => (kind === 'node' ? [row] : []));
  const pen: RowPen = { resource, columns: resource.columns, theme, known, events };
  const placed = layoutOf(measured(nodes, pen), width - indent, undefined);
  const doing = useRowsInChange(resource, params);
  const line = (branch: Branch, isCursor: boolean) =>
    branch.kind === 'config'
      ? configLine(theme, branch, isCursor, width)
      : `${' '.repeat(indent)}${rowLine(branch.row, placed, pen, {
          cursor: isCursor,
          marked: false,
          doing: doing.get(idOf(resource, branch.row)),
        })}`;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={headOf(theme, branches, width, api.readOnly)} />
      {branches.length === 0
        ? wrapCells(emptyText(configs, api.readOnly), width - 4).map((text, index) => (
            <Line key={index} text={`  ${theme.paint('dim', text)}`} />
          ))
        : branches
            .slice(top, top + body)
            .map((branch, index) => <Line key={branch.key} text={line(branch, top + index === cursor)} />)}
    </Box>
  );
}

const indent = 2;

function emptyText(configs: Collection | undefined, readOnly: boolean): string {
  if (configs?.error && configs.loadedAt === undefined) return `${configs.error.message} r tries again.`;
  if (configs?.loadedAt === undefined) return 'Reading configs …';
  const way = readOnly ? '' : ' n makes the first one; then add nodes to it.';
  return `It has no configs, so it serves nothing.${way}`;
}

/** The configs of a NodeBalancer and the nodes of each, read while the component is mounted. */
function useBranches(params: OwnProps['params']) {
  const [configs] = useCollections([{ resource: 'nodebalancer-configs', operation: 'list', params }]);
  const rows = (configs?.rows ?? []).toSorted((one, other) => Number(one.port) - Number(other.port));
  const nodes = useCollections(
    rows.map(({ id }) => ({
      resource: 'nodebalancer-nodes',
      operation: 'list',
      params: { ...params, configId: String(id) },
    })),
  );
  return { configs, branches: branchesOf(rows, nodes, params) };
}

/**
 * The keys of the tree: those of a list, each about the config or node under the cursor.
 * @param hold keeps the cursor where it is, whatever comes and goes
 */
function useTreeKeys(
  current: Branch | undefined,
  params: OwnProps['params'],
  moves: ReturnType<typeof movesOf>,
  hold: () => void,
) {
  const deck = useDeck();
  const { navigation } = deck;
  const resource = current && resourceNamed(current.resource);
  const subject = current && { row: current.row, params: current.params };
  const made = resourceNamed(current ? 'nodebalancer-nodes' : 'nodebalancer-configs');
  const { create } = made;
  useKeys('list', {
    ...moves,
    ...(current && {
      open: () => navigation.go(placeOfRow(resourceNamed(current.resource), current.params)),
      json: () => navigation.go({ screen: 'detail', resource: current.resource, params: current.params, tab: 'json' }),
      copy: () => navigation.open({ kind: 'copy', resource: current.resource, params: current.params }),
      related: () => navigation.open({ kind: 'related', resource: current.resource, params: current.params }),
    }),
    ...(deck.api.readOnly ? {} : changes()),
  });

  function held(act: () => void): () => void {
    return () => {
      hold();
      act();
    };
  }

  function changes() {
    const starts = (action = resource?.edit) =>
      resource && subject && action && held(() => begin(deck, resource, action, [subject], subject.params));
    return {
      create: create && held(() => begin(deck, made, create, [], current?.configParams ?? params)),
      edit: starts(),
      remove: resource?.remove && starts(resource.remove),
      actions:
        current &&
        held(() => navigation.open({ kind: 'actions', resource: current.resource, targets: [current.params] })),
    };
  }
}
