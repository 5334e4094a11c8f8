import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../world.ts';
import type { Finding } from './finding.ts';

/** Judges whether everything has come to rest. Asked when all have quit. */
export function judgeCalm(world: World): readonly Finding[] {
  const { clock, crashes, seats, machine } = world;
  const at = clock.now;
  const finding = (says: string): Finding => ({ rule: 'calm', at, says });
  const state = join(machine.home, 'state', 'skydeck');
  const names = existsSync(state) ? readdirSync(state, { recursive: true }).map(String) : [];
  return [
    ...crashes.map(({ process, error }) => ({
      rule: 'crash',
      at,
      says: `${process} ended by ${error instanceof Error ? error.stack : error}`,
    })),
    ...[...seats.values()].flatMap(({ who, pending }) =>
      pending > 0 ? [finding(`${who} never ended what was begun.`)] : [],
    ),
    ...clock.waiting().map(({ process }) => finding(`${process.name} has quit and has a timer left.`)),
    ...names
      .filter((name) => /\.json\.\w+$/.test(name) && !name.endsWith('.lock'))
      .map((name) => finding(`${name} is left.`)),
  ];
}
