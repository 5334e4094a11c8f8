/** A role of servers, and the load of each. */
export interface Role {
  name: string;
  /** Their number among forty servers; the only one of a role has no number in its label. */
  count: number;
  type: string;
  image: string;
  tags: readonly string[];
  backups: boolean;
  /** Mean CPU in percent of one core at the quietest and at the busiest hour of the day. */
  load: readonly [quiet: number, busy: number];
  /** Mean public traffic out at the busiest hour, in Mbit/s. */
  traffic: number;
  /** Mean disk operations at the busiest hour, in blocks a second. */
  io: number;
}

/** The roles, forty servers in all. */
const roles: readonly Role[] = [
  role('web', 8, 'g6-standard-2', 'debian12', ['web', 'prod'], true, [9, 62], 14, 40),
  role('api', 6, 'g6-standard-4', 'debian12', ['api', 'prod'], true, [25, 160], 8, 60),
  role('db-primary', 1, 'g6-dedicated-16', 'ubuntu22.04', ['database', 'prod'], true, [140, 520], 9, 1900),
  role('db-replica', 3, 'g6-dedicated-8', 'ubuntu22.04', ['database', 'prod'], true, [60, 240], 4, 900),
  role('cache', 4, 'g7-highmem-1', 'debian12', ['cache', 'prod'], false, [12, 55], 6, 6),
  role('worker', 5, 'g6-standard-2', 'debian12', ['worker', 'prod'], false, [22, 110], 3, 150),
  role('batch', 4, 'g6-dedicated-4', 'ubuntu24.04', ['batch'], false, [4, 30], 1, 260),
  role('queue', 2, 'g6-standard-2', 'debian12', ['queue', 'prod'], true, [8, 34], 5, 220),
  role('ci', 2, 'g6-standard-6', 'ubuntu24.04', ['build'], false, [6, 310], 7, 800),
  role('mail', 1, 'g6-standard-1', 'debian11', ['mail', 'prod'], true, [3, 12], 1, 30),
  role('vpn', 1, 'g6-nanode-1', 'alpine3.20', ['infra'], false, [1, 9], 5, 2),
  role('metrics', 1, 'g6-standard-4', 'debian12', ['infra'], true, [70, 95], 2, 480),
  role('staging-web', 1, 'g6-standard-1', 'debian12', ['staging'], false, [1, 14], 1, 8),
  role('staging-db', 1, 'g6-standard-2', 'ubuntu22.04', ['staging'], false, [2, 20], 1, 40),
];

/** The role of a server that was made later. */
const anyRole: Role = role('', 1, 'g6-standard-1', 'debian12', [], false, [2, 18], 1, 10);

/** The number of servers in all roles. */
const fleetSize = roles.reduce((sum, { count }) => sum + count, 0);

function role(
  name: string,
  count: number,
  type: string,
  image: string,
  tags: readonly string[],
  backups: boolean,
  load: readonly [number, number],
  traffic: number,
  io: number,
): Role {
  return { name, count, type, image: `server/${image}`, tags, backups, load, traffic, io };
}

/** The role and label of the server of this number, from 0: `web-1` … `web-8`, `api-1`, … and round again. */
export function memberOf(number: number): { role: Role; label: string } {
  const round = Math.floor(number / fleetSize);
  let place = number % fleetSize;
  for (const role of roles) {
    if (place < role.count) {
      const nth = round * role.count + place + 1;
      return { role, label: role.count === 1 && nth === 1 ? role.name : `${role.name}-${nth}` };
    }
    place -= role.count;
  }
  return { role: anyRole, label: `server-${number}` };
}

/** The role that a label tells. */
export const roleOf = (label: string): Role =>
  roles.find(({ name }) => label === name || label.startsWith(`${name}-`)) ?? anyRole;
