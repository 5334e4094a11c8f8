import { expect, test, vi } from 'vitest';
import { actionsOfCommands } from '../../src/config/commandActions.ts';
import type { CommandConfig } from '../../src/config/schema.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { changeOn } from '../../src/store/changes/change.ts';
import { runProgram } from '../../src/store/changes/userCommand.ts';
import type { Programs } from '../../src/store/machine.ts';
import { apiOn } from './apiOn.ts';

const servers = resourceNamed('servers');
const row = { id: 1, label: 'web-1', status: 'running', console: { root_pass: 'sesame-open', port: 22 } };

/** Runs a command of the user's own on a server; its input and what was recorded are told. */
async function run(more: Partial<CommandConfig>, readOnly = false) {
  const [action] =
    actionsOfCommands([{ name: 'Note it', for: 'servers', run: ['note', '{label}'], ...more }]).get('servers') ?? [];
  if (!action) throw new Error('there is no action');
  const ending = { code: 0, timedOut: false, stopped: false, ms: 1, says: 'note ended with code 0.' };
  const programs = {
    record: vi.fn<Programs['record']>(async () => {}),
    run: vi.fn<Programs['run']>(async () => ({ ...ending, lines: [], droppedBytes: 0 })),
    onTerminal: vi.fn<Programs['onTerminal']>(async () => ending),
  };
  const api = { ...apiOn(() => expect.unreachable()), readOnly };
  const { signal } = new AbortController();
  const result = runProgram({ api, programs, now: Date.now }, changeOn(servers, action, row, {}), {
    signal,
    show: () => {},
  });
  return { result, programs };
}

test.each(['pane', 'notice', 'terminal'] as const)(
  'no program that changes something runs in a read-only session, whoever asks for it (%s)',
  async (show) => {
    const { result, programs } = await run({ show }, true);
    await expect(result).rejects.toMatchObject({
      kind: 'read-only',
      message: 'Nothing was run, because nothing may be changed in a read-only session.',
    });
    for (const used of Object.values(programs)) expect(used).not.toHaveBeenCalled();
    const harmless = await run({ show, changes: false }, true);
    expect(await harmless.result).toMatchObject({ state: 'done' });
  },
);

test('a program is given the row without its secrets', async () => {
  const { result, programs } = await run({});
  expect(await result).toMatchObject({ state: 'done' });
  const [argv, { input } = { input: '' }] = programs.run.mock.calls[0] ?? [];
  expect(argv).toEqual(['note', 'web-1']);
  expect(JSON.parse(input)).toEqual({ ...row, console: { root_pass: '[redacted]', port: 22 } });
});
