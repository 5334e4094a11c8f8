import { drawing } from '../draw.ts';
import { Clock, type Process } from './clock.ts';
import { type Account, Cloud } from './cloud/cloud.ts';
import type { Item, Row, Write } from './cloud/items.ts';
import type { Applied } from './deeds/apply.ts';
import { hasZones, type Story, type Who } from './deeds/story.ts';
import type { Desk } from './desk.ts';
import { closeFilesOf } from './disk.ts';
import type { Finding } from './judge/finding.ts';
import { guarded, type Login, Machine } from './machine.ts';
import { Network } from './network.ts';
import type { Told, Wish } from './wishes.ts';

/** Noon of a Tuesday in 2026. */
const start = Date.UTC(2026, 10, 24, 12);

/** Somebody's place in a story, and what they have begun and not ended. */
export interface Seat {
  readonly who: Who;
  readonly login: Login;
  desk: Desk | undefined;
  /** The processes so far; each has a name of its own. */
  count: number;
  /** Ends when all that was begun here has ended. */
  queue: Promise<unknown>;
  pending: number;
}

/** A line of the story, for people. */
export interface Line {
  readonly at: number;
  readonly who: string;
  readonly says: string;
}

/** A refusal to take back what it was promised for. */
export interface NotBack {
  readonly at: number;
  readonly deed: number;
  readonly process: string;
  readonly says: string;
  /** It was the last that this process has sent. */
  readonly isLast: boolean;
  /** It says that its row is gone, or not attached any more, and that is so. */
  readonly isSo: boolean;
}

/** The history of a row, with the changes that were sent from here and the events that are said to be theirs. */
export interface ToldHistory {
  readonly at: number;
  readonly process: string;
  readonly login: Login;
  readonly path: string;
  readonly entries: readonly { readonly at: number; readonly sent?: Row; readonly event?: Row }[];
}

/** A run of `plan apply` with the file that it was given. */
export interface AppliedPlan extends Applied {
  readonly at: number;
  readonly deed: number;
  readonly process: string;
  readonly text: string;
  readonly words: readonly string[];
}

/** Everything in one run of a story. */
export class World {
  readonly story: Story;
  readonly clock: Clock;
  readonly clouds: readonly Cloud[];
  readonly network: Network;
  readonly machine = new Machine();
  readonly writes: Write[] = [];
  readonly wishes: Wish[] = [];
  readonly told: Told[] = [];
  readonly applied: AppliedPlan[] = [];
  readonly lines: Line[] = [];
  /** Changes that `u` was to take back, and did not even ask about. */
  readonly notBack: NotBack[] = [];
  /** Records that a replacement over all zones has left out. */
  readonly leftOut: Finding[] = [];
  /** Histories as a dashboard told them. */
  readonly histories: ToldHistory[] = [];
  /** Errors that nobody in the program has caught. */
  readonly crashes: { process: string; error: unknown }[] = [];
  readonly seats: ReadonlyMap<Who, Seat>;
  /** The wishes that stand in plans, by the identities of the steps; of one with a secret, each process knows its own. */
  readonly planned = new Map<string, Wish>();
  /** Wishes to take back what had become otherwise, by users who were told so. */
  readonly knowing = new Set<Wish>();
  /** The wishes of a run of a plan in their order, and whether it waits for their ends, by its deed. */
  readonly waiting = new Map<number, ReadonlyMap<Wish, boolean>>();
  readonly #deaths = new Map<Process, () => void>();

  constructor(story: Story) {
    this.story = story;
    const { seed, setting, deeds } = story;
    this.clock = new Clock(start, drawing('clock', seed));
    this.clock.skewMs = setting.skewMs;
    const [one, two] = ['one', 'two'].map(
      (name): Account => ({ name, token: `token-${name}`, euuid: `EUUID-${name}` }),
    );
    if (!one || !two) throw new Error('there are two accounts');
    const isOneHost = setting.other.host === 'same';
    const cloudAt = (host: string, accounts: readonly Account[]) =>
      new Cloud(host, accounts, this.clock, drawing(host, seed), this.writes);
    const first = cloudAt('cloud.example', isOneHost ? [one, two] : [one]);
    this.clouds = isOneHost ? [first] : [first, cloudAt('other.example', [two])];
    for (const cloud of this.clouds)
      for (const account of cloud.accounts) furnish(cloud, account.name, hasZones(story));
    this.network = new Network({
      clock: this.clock,
      clouds: this.clouds,
      faultsOf: (deed) => deeds.find(({ number }) => number === deed)?.faults ?? [],
      luck: (...of) => drawing(of.join(' '), seed)(),
      kill: (process) => this.kill(process),
    });
    const { tag, atMost } = guarded;
    const deny = { actions: ['delete'], where: `tags:${tag}`, deny: true };
    const guards = setting.hasGuards ? [deny, { actions: ['delete'], for: 'volumes', at_most: atMost }] : [];
    const work: Login = { profile: 'work', host: first.host, account: one, guards: guards as never };
    const profile = setting.other.profile === 'same' ? 'work' : 'home';
    const other: Login = { profile, host: this.clouds.at(-1)?.host ?? '', account: two, guards: [] };
    const logins: Readonly<Record<Who, Login>> = { first: work, second: work, apply: work, colleague: work, other };
    this.seats = new Map(
      Object.entries(logins).map(([who, login]) => [
        who as Who,
        { who: who as Who, login, desk: undefined, count: 0, queue: Promise.resolve(), pending: 0 },
      ]),
    );
  }

  seat(who: Who): Seat {
    const seat = this.seats.get(who);
    if (!seat) throw new Error(`nobody sits at ${who}`);
    return seat;
  }

  cloudOf({ login }: Seat): Cloud {
    const cloud = this.clouds.find(({ host }) => host === login.host);
    if (!cloud) throw new Error(`there is no cloud at ${login.host}`);
    return cloud;
  }

  say(who: string, says: string): void {
    this.lines.push({ at: this.clock.now, who, says });
  }

  /** Starts a process, which ends by itself or is killed. */
  start(seat: Seat): { process: Process; died: Promise<void> } {
    const process = this.machine.start(seat.count++ === 0 ? seat.who : `${seat.who} ${seat.count}`);
    const { promise: died, resolve } = Promise.withResolvers<void>();
    this.#deaths.set(process, resolve);
    return { process, died };
  }

  /** Ends a process at once, wherever it is. */
  kill(process: Process): void {
    if (!process.isAlive) return;
    this.say(process.name, 'is killed');
    process.wasKilled = true;
    this.end(process);
  }

  /** The process has ended, or ends now. */
  end(process: Process): void {
    process.isAlive = false;
    closeFilesOf(process);
    for (const seat of this.seats.values()) if (seat.desk?.process === process) seat.desk = undefined;
    this.#deaths.get(process)?.();
  }

  get isIdle(): boolean {
    return [...this.seats.values()].every(({ pending }) => pending === 0);
  }

  /** Puts something behind all that was begun at a seat. */
  enqueue(seat: Seat, run: () => Promise<unknown>): void {
    seat.pending++;
    seat.queue = seat.queue.then(run).finally(() => {
      seat.pending--;
    });
  }

  stop(): void {
    this.clock.stop();
    this.network.stop();
    for (const process of this.machine.processes) closeFilesOf(process);
    this.machine.remove();
  }
}

/**
 * Gives an account what it has at first.
 * @param isFull each of its zones has records
 */
function furnish({ items }: Cloud, account: string, isFull: boolean): void {
  const region = 'us-east';
  const make = (kind: string, row: Row, parent?: Item) => items.make(kind, account, row, undefined, parent);
  const dates = { created: '2026-01-05T10:00:00', updated: '2026-01-05T10:00:00' };
  const server = (label: string, status: string) => {
    const made = make('servers', {
      ...{ label, status, region, type: 'g6-standard-1', image: 'server/debian12', group: '', hypervisor: 'kvm' },
      ...{ tags: ['prod'], watchdog_enabled: true, ipv4: ['192.0.2.9'], ipv6: null, ...dates },
      alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
      backups: { enabled: false, last_successful: null, schedule: { day: null, window: null } },
      specs: { disk: 51_200, memory: 2048, transfer: 2000, vcpus: 1 },
    });
    const disk = make('disks', { label: 'Disk', size: 25_000, status: 'ready', filesystem: 'ext4', ...dates }, made);
    make(
      'configs',
      {
        ...{
          label: 'My config',
          comments: null,
          kernel: 'server/latest-64bit',
          root_device: '/dev/sda',
          memory_limit: 0,
        },
        ...{ interfaces: [], devices: { sda: { disk_id: disk.id, volume_id: null } } },
      },
      made,
    );
  };
  server(`${account}-web`, 'running');
  server(`${account}-db`, 'offline');
  for (const [label, tags] of [
    ['data', ['prod']],
    ['logs', []],
    ['spare', ['keep']],
  ] as const)
    make('volumes', {
      ...{
        label: `${account}-${label}`,
        tags,
        status: 'active',
        size: 20,
        region,
        server_id: null,
        server_label: null,
      },
      ...{ hardware_type: 'nvme', filesystem_path: `/dev/disk/by-id/scsi-0PLAT_Volume_${label}`, ...dates },
    });
  for (const name of ['shop', 'blog']) {
    const domain = make('domains', {
      ...{
        domain: `${name}-${account}.example`,
        type: 'master',
        status: 'active',
        soa_email: 'me@example.com',
        tags: [],
      },
      ...{ description: '', group: '', master_ips: [], axfr_ips: [] },
      ...{ ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0, ...dates },
    });
    for (const host of isFull || name === 'shop' ? ['www', 'api'] : [])
      make(
        'records',
        {
          ...{ type: 'A', name: host, target: '192.0.2.9', ttl_sec: 300, priority: 0, weight: 0, port: 0 },
          ...{ protocol: null, service: null, tag: null, ...dates },
        },
        domain,
      );
  }
  make('nodebalancers', {
    ...{ label: `${account}-front`, region, client_conn_throttle: 0, tags: ['prod'], ipv4: '198.51.100.7', ipv6: null },
    ...{ hostname: 'nb-7.example', transfer: { in: null, out: null, total: null }, ...dates },
  });
}
