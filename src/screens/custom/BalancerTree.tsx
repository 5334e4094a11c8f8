import { Box } from 'ink';
import { useEffect, useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { rowTinted } from '../../components/rowTint.ts';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { type Collection, idOf } from '../../store/cache.ts';
import { changesNothing } from '../../store/session.ts';
import { wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { startAction } from '../actions.ts';
import { compareRelated } from '../graphs/compare.ts';
import { useKeys } from '../keyboard.tsx';
import { startOf } from '../keys/offered.ts';
import type { RowState } from '../list/rowLines.ts';
import { createRowTable } from '../list/rowTable.ts';
import { keepingCursor, rowKeys } from '../list/useListKeys.ts';
import { usePendingRows } from '../list/usePendingRows.ts';
import { createListWindow } from '../page/listWindow.ts';
import { PositionedTitle } from '../page/PositionedTitle.tsx';
import type { MoveHandlers } from '../page/scroll.ts';
import type { CustomProps } from '../props.ts';
import { useRegion } from '../terminal/mouse.tsx';
import { useCacheView } from '../useCacheView.ts';
import { useCollections, useEvents, useStores, useView } from '../useStores.ts';
import { type Branch, branchesOf, configLine, isDownNode, treeHeader } from './balancerBranches.ts';

/** The configs of a NodeBalancer by port, each with its nodes and the health of both. */
export function BalancerTree({ params, width, height }: CustomProps) {
  const { api } = useStores();
  const theme = useTheme();
  const events = useEvents();
  const resource = resourceNamed('nodebalancer-nodes');
  const cacheView = useCacheView(resource);
  const { configs, branches, isWhole } = useBranches(params);
  const [listView, setView] = useView(`${resource.name}:tree:${JSON.stringify(params)}`);
  const [windowOf] = useState(createListWindow<Branch>);
  const body = Math.max(1, height - 1);
  const { current, visible, top, movesTo } = windowOf(branches, listView.cursor, keyOfBranch, body);
  const part = { top, body, count: branches.length };
  const choose = (branch: Branch | undefined) => setView({ cursor: branch?.key });
  // It opens at the first node that is down, which is looked for most often. Once all nodes are read it stays.
  const start =
    listView.cursor === undefined ? (branches.find(isDownNode) ?? (isWhole ? branches[0] : undefined)) : undefined;
  useEffect(() => {
    if (start) setView({ cursor: start.key });
  }, [start, setView]);
  // Until then no line is highlighted, so that no key is pressed for one and does something to another.
  const chosen = listView.cursor === undefined ? undefined : current;
  const isUnread = chosen === undefined && branches.length > 0;
  useTreeKeys(chosen, params, movesTo(choose), () => choose(chosen), isUnread);

  const nodes = branches.flatMap(({ kind, row }) => (kind === 'node' ? [row] : []));
  const table = createRowTable({ resource, columns: resource.columns, theme, cacheView })(nodes, width - indent, {
    events,
  });
  const pending = usePendingRows(resource, params);
  const line = (branch: Branch) => {
    const isCurrent = branch === chosen;
    if (branch.kind === 'config')
      return rowTinted(theme, { isCurrent, isMarked: false }, configLine(theme, branch, isCurrent, width), width);
    const state: RowState = { isCurrent, pending: pending.get(idOf(resource, branch.row)) };
    return `${' '.repeat(indent)}${table.line(branch.row, state)}`;
  };
  const region = useRegion('list', {
    onClick: ({ line: at, press }) => {
      // Above the rows is the title.
      const branch = visible[at - 1];
      if (branch && branch === current) press('enter');
      else if (branch) choose(branch);
    },
  });
  return (
    <Box ref={region} flexDirection="column" width={width} height={height}>
      <PositionedTitle title={treeHeader(theme, branches, width, changesNothing(api))} part={part} width={width} />
      {branches.length === 0
        ? wrapCells(emptyText(configs, changesNothing(api)), width - 4).map((text, index) => (
            <Line key={index} text={`  ${theme.paint('dim', text)}`} />
          ))
        : visible.map((branch) => <Line key={branch.key} text={line(branch)} />)}
    </Box>
  );
}

const indent = 2;
const keyOfBranch = ({ key }: Branch) => key;

function emptyText(configs: Collection | undefined, readOnly: boolean): string {
  if (configs?.error && configs.loadedAt === undefined) return `${configs.error.message} r tries again.`;
  if (configs?.loadedAt === undefined) return 'Reading configs …';
  const hint = readOnly ? '' : ` ${keyLabel('list.create', 'n')} makes the first one; then add nodes to it.`;
  return `It has no configs, so it serves nothing.${hint}`;
}

/** The configs of a NodeBalancer and the nodes of each, read while the component is mounted. */
function useBranches(params: CustomProps['params']) {
  const [configs] = useCollections([{ resource: 'nodebalancer-configs', operation: 'list', params }]);
  const rows = (configs?.rows ?? []).toSorted((one, other) => Number(one.port) - Number(other.port));
  const nodes = useCollections(
    rows.map(({ id }) => ({
      resource: 'nodebalancer-nodes',
      operation: 'list',
      params: { ...params, configId: String(id) },
    })),
  );
  const isWhole = nodes.every((node) => node?.loadedAt !== undefined || node?.error !== undefined);
  return { configs, branches: branchesOf(rows, nodes, params), isWhole };
}

/** The keys that do something to a line. */
const actedOn = ['open', 'json', 'copy', 'related', 'edit', 'remove', 'actions', 'compareRelated', 'create'] as const;

/**
 * The keys of the tree: those of a list, for the config or node under the cursor.
 * @param hold keeps the cursor on its row when rows come and go
 * @param isUnread no line is under the cursor yet, as the nodes are being read
 */
function useTreeKeys(
  current: Branch | undefined,
  params: CustomProps['params'],
  moves: MoveHandlers,
  hold: () => void,
  isUnread: boolean,
) {
  const stores = useStores();
  const created = resourceNamed(current ? 'nodebalancer-nodes' : 'nodebalancer-configs');
  const { create } = created;
  const held = keepingCursor(hold);
  const listParams = current?.kind === 'node' ? current.configParams : params;
  const targets = current ? [{ row: current.row, params: current.params }] : [];
  const handlers = {
    ...moves,
    ...(current && rowKeys(stores, resourceNamed(current.resource), listParams, current.row, targets, held)),
    compareRelated:
      current &&
      held(() => compareRelated(stores, resourceNamed(current.resource), [current.row], listParams ?? params)),
    create:
      create &&
      startOf(
        stores,
        create,
        held(() => startAction(stores, created, create, [], current?.configParams ?? params)),
      ),
  };
  const unread = Object.fromEntries(actedOn.map((name) => [name, () => 'Its nodes are being read.']));
  useKeys('list', isUnread ? { ...moves, ...unread } : handlers, {
    subject: current && { resource: resourceNamed(current.resource), targets, params: listParams ?? params },
  });
}
