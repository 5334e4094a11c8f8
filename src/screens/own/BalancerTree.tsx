import { Box } from 'ink';
import { useState } from 'react';
import { wrapCells } from '../../components/cells.ts';
import { Line } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Collection } from '../../store/records.ts';
import { begin } from '../actions.ts';
import { useKeys } from '../keyboard.tsx';
import { layoutOf, type RowPen, rowLine } from '../list/rowLines.ts';
import { placeOfRow } from '../places.ts';
import { useDeck, useEvents } from '../useDeck.ts';
import { useKnown } from '../useKnown.ts';
import { movesOf, useScroll } from '../useScroll.ts';
import { type Branch, branchesOf, configLine, headOf } from './balancerBranches.ts';
import type { OwnProps } from './index.ts';
import { useCollections } from './useCollections.ts';

/** The ports of a NodeBalancer with their nodes below them and the health of both. */
export function BalancerTree({ params, width, height }: OwnProps) {
  const theme = useTheme();
  const events = useEvents();
  const resource = resourceNamed('nodebalancerNodes');
  const known = useKnown(resource);
  const { configs, branches } = useBranches(params);
  const [chosen, setChosen] = useState<string>();
  const cursor = Math.max(
    0,
    branches.findIndex(({ key }) => key === chosen),
  );
  const body = Math.max(1, height - 1);
  const top = useScroll(branches.length, cursor, body);
  const moves = movesOf(cursor, branches.length, body, (index) => setChosen(branches[index]?.key));
  const current = branches[cursor];
  useTreeKeys(current, params, moves);

  const nodes = branches.flatMap(({ kind, row }) => (kind === 'node' ? [row] : []));
  const pen: RowPen = { resource, columns: resource.columns, theme, known, events };
  const placed = layoutOf(nodes, width - indent, pen, undefined);
  const line = (branch: Branch, isCursor: boolean) =>
    branch.kind === 'config'
      ? configLine(theme, branch, isCursor, width)
      : `${' '.repeat(indent)}${rowLine(branch.row, placed, pen, { cursor: isCursor, marked: false })}`;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Line text={headOf(theme, branches)} />
      {branches.length === 0
        ? wrapCells(emptyText(configs), width - 4).map((text, index) => (
            <Line key={index} text={`  ${theme.paint('dim', text)}`} />
          ))
        : branches
            .slice(top, top + body)
            .map((branch, index) => <Line key={branch.key} text={line(branch, top + index === cursor)} />)}
    </Box>
  );
}

const indent = 2;

function emptyText(configs: Collection | undefined): string {
  if (configs?.error && configs.loadedAt === undefined) return `${configs.error.message} r tries again.`;
  if (configs?.loadedAt === undefined) return 'Reading configs …';
  return 'It has no configs, so it serves nothing. n makes the first one; then add nodes to it.';
}

/** The configs of a NodeBalancer and the nodes of each, read while the component is mounted. */
function useBranches(params: OwnProps['params']) {
  const [configs] = useCollections([{ resource: 'nodebalancerConfigs', operation: 'list', params }]);
  const rows = (configs?.rows ?? []).toSorted((one, other) => Number(one.port) - Number(other.port));
  const nodes = useCollections(
    rows.map(({ id }) => ({
      resource: 'nodebalancerNodes',
      operation: 'list',
      params: { ...params, configId: String(id) },
    })),
  );
  return { configs, branches: branchesOf(rows, nodes, params) };
}

/** The keys of the tree: those of a list, each about the config or node under the cursor. */
function useTreeKeys(current: Branch | undefined, params: OwnProps['params'], moves: ReturnType<typeof movesOf>) {
  const deck = useDeck();
  const { navigation } = deck;
  const resource = current && resourceNamed(current.resource);
  const subject = current && { row: current.row, params: current.params };
  const makes = resourceNamed(current ? 'nodebalancerNodes' : 'nodebalancerConfigs').create;
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

  function changes() {
    const starts = (action = resource?.edit) =>
      resource && subject && action && (() => begin(deck, resource, action, [subject], subject.params));
    return {
      create:
        makes &&
        (() =>
          begin(
            deck,
            resourceNamed(current ? 'nodebalancerNodes' : 'nodebalancerConfigs'),
            makes,
            [],
            current?.configParams ?? params,
          )),
      edit: starts(),
      remove: resource?.remove && starts(resource.remove),
      actions:
        current && (() => navigation.open({ kind: 'actions', resource: current.resource, targets: [current.params] })),
    };
  }
}
