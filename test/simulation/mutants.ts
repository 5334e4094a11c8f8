/** A fault that is put into the sources by hand: each text stands once in its file. */
export interface Mutant {
  /** The fault, as a clause. */
  readonly name: string;
  readonly edits: readonly { readonly file: string; readonly from: string; readonly to: string }[];
}

const plans = 'src/store/plans';
const changes = 'src/store/changes';

/** Faults of plans, of lost answers and of taking back that stories must find. */
export const mutants: readonly Mutant[] = [
  {
    name: 'the body of a step is fixed when it is planned',
    edits: [
      {
        file: `${plans}/stepChange.ts`,
        from: '!changes ? change : { ...change, changes, body',
        to: '!changes ? change : { ...change, changes: undefined, body',
      },
    ],
  },
  {
    name: 'a step is sent before the one that it waits for has ended',
    edits: [
      {
        file: `${plans}/carryOut.ts`,
        from: 'if (!going.some((one) => one.id === id)) return false;',
        to: 'if (going.length >= 0 || !going.some((one) => one.id === id)) return false;',
      },
    ],
  },
  {
    name: 'a redaction is sent as a value',
    edits: [
      {
        file: 'src/store/guards/gate.ts',
        from: 'if (secret !== undefined) return',
        to: 'if (secret === undefined && secret !== undefined) return',
      },
      {
        file: 'src/screens/plans/planStep.ts',
        from: 'shown.lacksSecret ? withoutSecretEntries(shown.entered) : shown.entered',
        to: "shown.lacksSecret ? { ...withoutSecretEntries(shown.entered), root_pass: '[redacted]' } : shown.entered",
      },
    ],
  },
  {
    name: 'a creation without a name takes the row of another for its own',
    edits: [
      {
        file: `${changes}/lostCreations.ts`,
        from: '  const shown = describedRow(change, row);\n',
        to: '  if (row) return undefined;\n  const shown = describedRow(change, row);\n',
      },
    ],
  },
  {
    name: 'what was done of a file is known by all of its steps together',
    edits: [
      {
        file: 'src/program/plans/progress.ts',
        from: "    const values = state.of('progress').read(uids);",
        to: `    const whole = createHash('sha256').update(JSON.stringify(file.steps.map(({ record }) => record))).digest('hex');
    const known = state.of('progress').read(uids.map((uid) => whole + uid));
    const values = new Map([...known].map(([key, value]) => [key.slice(64), value]));`,
      },
      { file: 'src/program/plans/progress.ts', from: '    const known = planFrom(', to: '    const begun = planFrom(' },
      {
        file: 'src/program/plans/progress.ts',
        from: 'return { plan: known, keep: keeperOf(state, steps), end };',
        to: 'return { plan: begun, keep: keeperOf(state, steps, whole), end };',
      },
      {
        file: 'src/program/plans/progress.ts',
        from: 'steps: readonly PlanStep[]): PlanProgress',
        to: 'steps: readonly PlanStep[], whole: string): PlanProgress',
      },
      {
        file: 'src/program/plans/progress.ts',
        from: '[step.uid, progressValue(step)]',
        to: '[whole + step.uid, progressValue(step)]',
      },
    ],
  },
  {
    name: 'the history shows what other accounts have sent',
    edits: [
      {
        file: 'src/store/audit/auditRows.ts',
        from: 'const isOwn = named !== undefined && line.host === owner.host && named === owner.account;',
        to: 'const isOwn = true;',
      },
    ],
  },
  {
    name: 'a step of which nothing is known has failed, and is sent again',
    edits: [
      {
        file: `${plans}/carryOut.ts`,
        from: ": outcome === 'unclear' ||",
        to: ": outcome === 'unclear' ? { state: 'failed', says } : outcome === 'unclear' ||",
      },
    ],
  },
  {
    name: 'a row that has changed since is deleted',
    edits: [
      {
        file: `${plans}/stale.ts`,
        from: '  if (action === resource.remove)\n',
        to: '  if (action === resource.remove) return [];\n  if (action === resource.remove)\n',
      },
    ],
  },
  {
    name: 'a row that has gained others since is deleted',
    edits: [
      {
        file: `${plans}/stale.ts`,
        from: 'if (fresh === 0 && then.length === before.length) continue;',
        to: 'if (fresh >= 0) continue;',
      },
    ],
  },
  {
    name: 'the label in a file is believed',
    edits: [
      {
        file: `${plans}/onRow.ts`,
        from: 'return isMade || name === record.label',
        to: 'return isMade || name !== undefined',
      },
    ],
  },
  {
    name: 'a step in doubt whose secret is gone counts as never sent',
    edits: [
      {
        file: `${plans}/stepChange.ts`,
        from: 'isInDoubt(step) ? undefined : whyNoSecret(step)',
        to: 'whyNoSecret(step)',
      },
      {
        file: `${plans}/carryOut.ts`,
        from: 'return doubt ? { result: doubt } : refused(change.why);',
        to: 'return refused(change.why);',
      },
    ],
  },
  {
    name: 'a row of which nobody knows the maker is our own',
    edits: [
      {
        file: `${changes}/lostCreations.ts`,
        from: 'if (own === undefined && other !== undefined && !wasUnderWay',
        to: 'if (own === undefined && other === undefined && named === null && !wasUnderWay',
      },
    ],
  },
  {
    name: 'an edit that somebody has changed again was not done',
    edits: [
      {
        file: `${changes}/lostAnswers.ts`,
        from: 'if (mine.length > 0 || (isTouched && theirs.length === 0))',
        to: 'if (isTouched && mine.length < 0)',
      },
    ],
  },
  {
    name: 'the events before the newest hundred tell nothing',
    edits: [
      { file: 'src/store/events.ts', from: 'if (!error && !isWholeSince(', to: 'if (error && !isWholeSince(' },
      {
        file: 'src/store/events.ts',
        from: 'return !error && !log.isTorn() && isWholeSince(store.getState(), before);',
        to: 'return !error;',
      },
    ],
  },
  {
    name: 'what looks like an edit was done by it',
    edits: [{ file: `${changes}/lostAnswers.ts`, from: '&& (isSame(sent, shown) || !isSame(was, shown));', to: ';' }],
  },
  {
    name: 'an answer that is lost is a failure',
    edits: [
      {
        file: `${changes}/send.ts`,
        from: "return error.maybeSent && error.kind !== 'aborted'",
        to: "return error.kind === 'aborted'",
      },
    ],
  },
  {
    name: 'a guard that refuses is not asked',
    edits: [
      {
        file: 'src/store/guards/guards.ts',
        from: 'if (guard.deny) return unknown ?? says.denied(guard, label);',
        to: ';',
      },
      {
        file: 'src/store/guards/guards.ts',
        from: 'all().filter(({ deny }) => deny)) {',
        to: 'all().filter(({ deny }) => deny === false)) {',
      },
    ],
  },
  {
    name: 'a change is sent before its line in the audit log',
    edits: [
      {
        file: 'src/program/auditLog/accountAudit.ts',
        from: "await lines.commit({ ...begun(change), ...recorded, outcome: 'pending' });",
        to: 'void recorded;',
      },
    ],
  },
  {
    name: 'taking back forgets the last tag',
    edits: [
      {
        file: 'src/resources/inverse.ts',
        from: '  return changed.length > 0 ? Object.fromEntries(changed) : former;',
        to: "  return { ...(changed.length > 0 ? Object.fromEntries(changed) : former), ...('tags' in former && { tags: [] }) };",
      },
    ],
  },
  {
    name: 'a replacement in all zones leaves the first zone out',
    edits: [
      {
        file: `${plans}/replaceTarget.ts`,
        from: 'const lists = view.lists(records.name);',
        to: 'const lists = view.lists(records.name).slice(1);',
      },
    ],
  },
  {
    name: 'a zone file takes back what others have done since it was opened',
    edits: [
      {
        file: 'src/screens/zone.ts',
        from: 'zoneChanges(readZone(typed, domain.domain), domain, records, stores.view)',
        to: 'zoneChanges(readZone(typed, domain.domain), domain, (await readRecords(stores, opened) as any).rows, stores.view)',
      },
    ],
  },
  {
    name: 'taking back starts from the row as it is, whatever others have made of it',
    edits: [
      {
        file: `${changes}/takeBack.ts`,
        from: 'const own: Edits = { opened: { ...now, ...made }, mine };',
        to: 'const own: Edits = { opened: { ...now, ...(made.tags !== undefined && made) }, mine };',
      },
    ],
  },
  {
    name: 'a volume that is attached elsewhere by now is detached to take the first back',
    edits: [
      {
        file: 'src/resources/storage/volumes.ts',
        from: 'made: { server_id: body?.server_id as Entry }',
        to: 'made: { server_id: (body ? undefined : null) as unknown as Entry }',
      },
    ],
  },
  {
    name: 'a job that its row shows has not begun, as no event tells it yet',
    edits: [
      { file: `${changes}/lostAnswers.ts`, from: 'isWhole && isAsBefore &&', to: 'isWhole && (isAsBefore || row) &&' },
    ],
  },
  {
    name: 'a job has ended as soon as no event of it goes on',
    edits: [
      {
        file: `${plans}/ends.ts`,
        from: 'if (own || !since || change.action === change.resource.remove || !beginsJob(change)) return undefined;',
        to: 'if (own || !since || !beginsJob(change) || since) return undefined;',
      },
    ],
  },
  {
    name: 'what is marked and hidden by the filter is acted on as well',
    edits: [
      {
        file: 'src/screens/list/listModel.ts',
        from: 'const rows = among(shown);',
        to: 'const rows = among(all ?? shown);',
      },
    ],
  },
  {
    name: 'a row that has changed stays shown though the filter leaves it out by now',
    edits: [
      {
        file: 'src/screens/list/listRows.ts',
        from: '(changed.has(row) ? test.matches(row) : matched.has(row))',
        to: '(changed.has(row) || matched.has(row))',
      },
    ],
  },
  {
    name: 'a list that was never read is an empty one among the costs',
    edits: [
      {
        file: 'src/resources/costs/costRows.ts',
        from: 'isRead ? of : { ...of,',
        to: 'isRead || of.count === 0 ? of : { ...of,',
      },
    ],
  },
  {
    name: 'the cost of a server is without its backups',
    edits: [
      {
        file: 'src/resources/compute/serverTypes.ts',
        from: 'backups === undefined ? undefined : own + backups;',
        to: 'backups === undefined ? undefined : own;',
      },
    ],
  },
  {
    name: 'an answer that a store has kept tells that nothing was done since',
    edits: [
      {
        file: 'src/api/retryHandler.ts',
        from: 'Number(response.headers.age) > 0) stored++;',
        to: 'Number(response.headers.age) < 0) stored++;',
      },
    ],
  },
];
