import { drawing } from '../../draw.ts';
import { type Desk, openDesk } from '../desk.ts';
import type { World } from '../world.ts';
import { runApply } from './applying.ts';
import { meddle } from './colleague.ts';
import { countCosts } from './costing.ts';
import { type Doing, inProcess } from './doing.ts';
import { enterOne } from './entering.ts';
import { look } from './looking.ts';
import { markAndTag } from './marking.ts';
import { carryOut, drop, editOne, order, save } from './planning.ts';
import type { Deed } from './story.ts';
import { takeBack } from './undoing.ts';
import { changeAcross, editText, replace } from './zones.ts';

/** Begins a deed; it goes on as time passes. */
export function perform(world: World, deed: Deed): void {
  const seat = world.seat(deed.who);
  const doing: Doing = { world, seat, deed, random: drawing(`deed ${deed.number}`, world.story.seed) };
  if (deed.who === 'colleague') meddle(doing);
  else if (deed.what === 'kill') {
    const running = world.machine.processes.findLast(({ isAlive, name }) => isAlive && name.startsWith(seat.who));
    if (running) world.kill(running);
  } else world.enqueue(seat, () => (seat.who === 'apply' ? runApply(doing) : atDesk(doing)));
}

const atDesk = async (doing: Doing): Promise<void> => {
  const { world, seat, deed } = doing;
  if (!seat.desk) {
    if (deed.what === 'quit') return;
    const started = world.start(seat);
    seat.desk = openDesk(world.machine, seat.login, started, deed.number);
    world.say(started.process.name, 'starts');
  }
  const { desk } = seat;
  await inProcess(doing, desk, async () => deskDeeds[deed.what]?.(doing, desk));
};

const deskDeeds: Readonly<Record<string, (doing: Doing, desk: Desk) => Promise<unknown>>> = {
  send: (doing, desk) => enterOne(doing, desk, 'send'),
  plan: (doing, desk) => enterOne(doing, desk, 'plan'),
  change: (doing, desk) => enterOne(doing, desk, 'send'),
  'send job': (doing, desk) => enterOne(doing, desk, 'send'),
  'plan job': (doing, desk) => enterOne(doing, desk, 'plan'),
  make: (doing, desk) => enterOne(doing, desk, 'send'),
  'plan to make': (doing, desk) => enterOne(doing, desk, 'plan'),
  'carry out': carryOut,
  'edit step': editOne,
  order,
  drop,
  save,
  'take back': (doing, desk) => takeBack(doing, desk),
  redo: (doing, desk) => takeBack(doing, desk, 'redo'),
  look,
  mark: markAndTag,
  'count costs': countCosts,
  'edit zone': editText,
  'change across': changeAcross,
  'change records': changeAcross,
  replace,
  quit: async ({ world }, desk) => {
    world.say(desk.process.name, 'quits');
    await desk.quit();
    world.end(desk.process);
  },
};
