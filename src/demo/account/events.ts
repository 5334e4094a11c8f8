import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import type { Entity, Job } from '../engine/eventLog.ts';
import { collection } from '../engine/handler.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { day, hour, minute, second } from '../engine/time.ts';
import { serverEntity, serversOf, volumeEntity, volumesOf } from '../inventory.ts';

/** One kind of thing that has happened: to what, by whom, and how many seconds it took; none is a notification. */
type EventTemplate = readonly [
  action: string,
  about: 'server' | 'volume' | 'account',
  username: string,
  seconds: readonly [number, number] | undefined,
  share: number,
];

const kinds: readonly EventTemplate[] = [
  ['server_snapshot', 'server', 'scheduler', [180, 1900], 30],
  ['server_reboot', 'server', 'deploy-bot', [12, 30], 14],
  ['server_boot', 'server', 'operator', [9, 25], 10],
  ['server_shutdown', 'server', 'operator', [5, 20], 8],
  ['watchdog_reboot', 'server', 'system', [14, 28], 5],
  ['server_config_update', 'server', 'deploy-bot', undefined, 7],
  ['server_update', 'server', 'operator', undefined, 5],
  ['disk_create', 'server', 'operator', [8, 70], 3],
  ['server_resize', 'server', 'operator', [120, 900], 3],
  ['host_reboot', 'server', 'system', undefined, 1],
  ['console_boot', 'server', 'night-shift', [10, 20], 2],
  ['volume_attach', 'volume', 'night-shift', [3, 9], 4],
  ['volume_detach', 'volume', 'night-shift', [2, 7], 3],
  ['volume_resize', 'volume', 'operator', [8, 40], 3],
  ['volume_update', 'volume', 'operator', undefined, 2],
  ['profile_update', 'account', 'operator', undefined, 2],
  ['token_create', 'account', 'operator', undefined, 2],
  ['user_ssh_key_add', 'account', 'night-shift', undefined, 1],
  ['payment_submitted', 'account', 'operator', undefined, 2],
];

const total = kinds.reduce((sum, kind) => sum + kind[4], 0);

function kindBy(random: Random): EventTemplate {
  let left = random.next() * total;
  for (const kind of kinds) {
    left -= kind[4];
    if (left < 0) return kind;
  }
  return ['server_update', 'server', 'operator', undefined, 1];
}

/** Entities of the account have no id. */
const accountEntity = (action: string): Entity => {
  const type = action.startsWith('token') ? 'token' : action.startsWith('user_ssh') ? 'user_ssh_key' : 'profile';
  return { label: 'operator', type, url: null };
};

/** Writes the events of the last 90 days, as many as there are servers and never fewer than 360; those of the last day are not yet read. */
export function writeHistory(cloud: Cloud): void {
  const random = randomFrom(cloud.options.seed, 5);
  const all = [...serversOf(cloud).values()];
  const servers = all.slice(0, 500);
  const volumes = [...volumesOf(cloud).values()].slice(0, 200);
  const count = Math.max(360, all.length);
  const ages = Array.from({ length: count }, () => 20 * minute + random.next() ** 1.6 * 89 * day);
  const past = [
    ...ages.map((age) => ({ age, tell: happen })),
    ...outOfService.map((one) => ({ age: one.age, tell: (created: number) => putOut(one, created) })),
  ];
  for (const { age, tell } of past.toSorted((one, other) => other.age - one.age)) tell(cloud.time - age);
  cloud.log.settle(cloud.time - day);

  function happen(created: number): void {
    const [action, about, username, seconds] = kindBy(random);
    const server = servers[random.integer(0, servers.length - 1)];
    const volume = volumes[random.integer(0, volumes.length - 1)];
    const entity =
      about === 'server'
        ? server && serverEntity(server)
        : about === 'volume'
          ? volume && volumeEntity(volume)
          : accountEntity(action);
    if (!entity) return;
    // All of this is over: activity.ts begins what is under way.
    const durationMs = seconds && Math.min(random.integer(...seconds) * second, cloud.time - created - minute);
    if (durationMs) cloud.log.record(jobOf(action, entity, username, durationMs, random), created);
    else cloud.log.note({ action, entity, username }, created);
  }

  function putOut({ label, age: _, ...job }: OutOfService, created: number): void {
    const server = servers.find((one) => one.label === label && one.status === 'offline');
    if (server) cloud.log.record({ ...job, entity: serverEntity(server), delayMs: second }, created);
  }
}

/** The event by which a server went off so many milliseconds ago. */
interface OutOfService extends Omit<Job, 'entity' | 'delayMs'> {
  label: string;
  age: number;
}

/** Two servers were shut down by somebody, one did not come up again. */
const outOfService: readonly OutOfService[] = [
  { age: 19 * day, label: 'staging-db', action: 'server_shutdown', username: 'operator', durationMs: 11 * second },
  { age: 7 * hour, label: 'batch-2', action: 'server_shutdown', username: 'night-shift', durationMs: 8 * second },
  {
    age: 2 * hour,
    label: 'batch-4',
    action: 'server_boot',
    username: 'night-shift',
    durationMs: 41 * second,
    fails: true,
    message: 'The root device of the configuration could not be found.',
  },
];

function jobOf(action: string, entity: Entity, username: string, durationMs: number, random: Random): Job {
  const job: Job = { action, entity, username, durationMs, delayMs: second };
  if (action === 'server_resize') job.megabytes = (durationMs / second) * random.integer(180, 520);
  if (action === 'server_snapshot' && random.chance(0.04))
    return { ...job, fails: true, message: 'The disk could not be read. Check its file system and try again.' };
  return job;
}

const { handlers } = collection<Row>('events', {
  rows: (cloud) => cloud.log.rows(),
  filters: ['action', 'created', 'entity.id', 'entity.type', 'id'],
  onRow: {
    read: ({ id }, _call, cloud) => cloud.log.markRead(Number(id)),
    seen: ({ id }, _call, cloud) => cloud.log.markSeen(Number(id)),
  },
});

/** Events (document 1, 4.3 and 6). */
export const events = handlers();
