import { Box } from 'ink';
import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Lines } from '../../components/Line.tsx';
import { useTheme } from '../../components/theme.ts';
import { resourceNamed } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import { problemsAbout } from '../../resources/problems/problem.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Params, Resource } from '../../resources/resource.ts';
import { evidenceOf, listsOf } from '../../resources/rules/evidence.ts';
import { ruleNamed } from '../../resources/rules/index.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { statsOf } from '../../store/fleet.ts';
import { wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import type { Timestamp } from '../../text/times.ts';
import { sentence } from '../../text/words.ts';
import { useCardLines } from '../Card.tsx';
import { useKeys } from '../keyboard.tsx';
import { Glance } from '../overview/Overview.tsx';
import { Page } from '../page/Page.tsx';
import { useProblemKeys } from '../problems/problemKeys.tsx';
import { type ProblemParts, problemLines } from '../problems/problemLines.ts';
import { remediesFor } from '../problems/remedies.ts';
import { type Size, useAnswer, useCollections, useEvents, useStores } from '../useStores.ts';

/** One problem: its sentence, the evidence, and what helps by number. It stays when the problem goes away, and says so. */
export function ProblemPage({ params, width, height }: Size & { resource: Resource; params: Params }) {
  const { problems, now } = useStores();
  const id = params[problemList.param] ?? '';
  useEffect(() => problems.watch(), [problems]);
  const isIt = (problem: Problem) => problem.id === id;
  const found = useStore(problems, (state) => state.problems.find(isIt) ?? state.acknowledged.find(isIt));
  const isExamined = useStore(problems, ({ examinedAt }) => examinedAt !== undefined);
  const last = useRef<Seen>(undefined);
  if (found) last.current = { problem: found };
  else if (last.current && last.current.goneAt === undefined) last.current = { ...last.current, goneAt: now() };
  if (last.current) return <SeenProblem {...last.current} width={width} height={height} />;
  const text = isExamined
    ? `This is not a problem now; ${keyLabel('everywhere.escape', 'esc')} goes back.`
    : 'Examining the account …';
  return <Lines of={wrapCells(text, width - 2).map((line) => ` ${line}`)} />;
}

interface Seen {
  problem: Problem;
  /** When it was noticed to be gone, in ms since the epoch; undefined while it is there. */
  goneAt?: Timestamp;
}

function SeenProblem({ problem, goneAt, width, height }: Seen & Size) {
  const stores = useStores();
  const theme = useTheme();
  const { navigation, acknowledgements } = stores;
  const resource = resourceNamed(problem.resource);
  const rule = ruleNamed(problem.rule);
  useEvents();
  useCollections(listsOf(problem).map((list) => ({ ...list, operation: 'list' })));
  const row = useStore(stores.cache, () => cachedRow(stores.view, resource, problem.params));
  const facts = useCardLines(briefly(resource), row ?? {}, width - 4);
  const serverId = rule?.graph === undefined ? undefined : problem.params.serverId;
  const statistics = useAnswer(serverId === undefined ? undefined : statsOf(serverId))?.body;
  useStore(acknowledgements, ({ all }) => all);
  const choices = goneAt === undefined ? remediesFor(stores, problem) : [];
  const parts: ProblemParts = {
    theme,
    width,
    height,
    now: stores.now(),
    problem,
    goneAt,
    acknowledgement: acknowledgements.of(problem),
    evidence: evidenceOf(problem, stores.view),
    graph: rule?.graph,
    statistics,
    alerts: row?.alerts,
    choices,
    lacks: rule?.lacks,
    facts: row ? facts : [],
    others: problemsAbout(stores.problems.getState().problems, problem.resource, problem.params).filter(
      (other) => other.id !== problem.id,
    ),
  };
  const brief = problemLines({ ...parts, facts: [] });
  const left = height - brief.length - 1;
  const isGlanced = row !== undefined && width >= glanceFrom.width && left >= glanceFrom.height;
  const lines = isGlanced ? brief : problemLines(parts);

  const own = { resource: problemList.name, params: { [problemList.param]: problem.id } };
  useKeys('detail', {
    json: () => navigation.replace({ screen: 'detail', ...own, tab: 'json' }),
    copy: () => navigation.open({ kind: 'copy', resource: own.resource, targets: [own.params] }),
    related: () => navigation.open({ kind: 'related', resource: problem.resource, params: problem.params }),
  });
  useProblemKeys(problem, goneAt === undefined ? [problem] : []);

  /** Goes the way of this number, or says why not. */
  function help(number: number): string | undefined {
    const choice = choices[number - 1];
    if (choice?.refusal) return sentence(choice.refusal, problem.label);
    if (!choice)
      return `There is no ${number} here; ${choices.length === 1 ? 'only 1' : `1 to ${choices.length}`} can be chosen.`;
    choice.run();
    return undefined;
  }

  const keys = { help: choices.length > 0 ? (key: string) => help(Number(key)) : 'Nothing is left to do about it.' };
  const page = (
    <Page layer="problem" lines={lines} keys={keys} width={width} height={isGlanced ? height - left : height} />
  );
  if (!isGlanced) return page;
  return (
    <Box flexDirection="column" width={width} height={height}>
      {page}
      <Glance without="problems" {...{ resource, row, width }} params={problem.params} height={left} />
    </Box>
  );
}

/** From this room on the object is shown as on its own page, in cells. */
const glanceFrom = { width: 100, height: 20 };

/** The resource with what its list shows at an ordinary width. */
const briefly = memoize(
  (resource: Resource): Resource => ({
    ...resource,
    columns: resource.columns.filter(({ keep = 2 }) => keep <= 2),
    card: [],
  }),
);
