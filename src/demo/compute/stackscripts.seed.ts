import type { StackScript as StackScriptRow } from '../../resources/compute/stackscripts.ts';
import { perCloud } from '../engine/cloud.ts';
import { noise } from '../engine/random.ts';
import { byId, type Stored } from '../engine/stored.ts';
import { day, timestamp } from '../engine/time.ts';
import { imagesOf } from '../inventory.ts';
import { commands, ownScripts } from './scripts.seed.ts';

/** A StackScript without its script (document 2, 2.8). */
export type StackScript = Omit<Required<Stored<StackScriptRow>>, 'script'> & {
  user_avatar_id: string;
  deployments_total: number;
  deployments_active: number;
  created: string;
  updated: string;
};

/** The number of public ones at first. */
const publicCount = 2640;
const firstPublic = 1_001;
const firstOwn = 914_201;

const makers = ['apps-team', 'base-images', 'cloud-recipes', 'deploy-kit', 'mirror-bot', 'one-click', 'ops-toolbox'];
const flavours = ['', ' (hardened)', ' with backups', ', minimal', ' behind a proxy', ' cluster node', ' for teams'];

/** One of these, by chance that the numbers determine. */
const chosen = <T>(items: readonly T[], ...numbers: Parameters<typeof noise>): T =>
  items[Math.floor(noise(...numbers) * items.length)] as T;

/** A time some years back as the API writes it; the larger the number, the later. */
const timestampOf = (number: number, daysLater = 0) =>
  new Date(Date.UTC(2015, 2, 1) + (number * 27 + daysLater * 24) * 3_600_000).toISOString().slice(0, 19);

/** The public StackScript of this number, from 0. */
function publicScript(seed: number, number: number, imageIds: readonly string[]): StackScript {
  const command = chosen(commands, seed, number, 31);
  const popular = noise(seed, number, 32) ** 14;
  const total = Math.floor(popular * 90_000);
  const revised = Math.floor(noise(seed, number, 33) * 300);
  const first = Math.floor(noise(seed, number, 34) * (imageIds.length - 3));
  return {
    id: firstPublic + number * 3,
    username: chosen(makers, seed, number, 35),
    user_avatar_id: '',
    label: `${command.what}${chosen(flavours, seed, number, 36)}`,
    description: `Installs ${command.what} and starts it.`,
    images: imageIds.slice(first, first + 1 + Math.floor(noise(seed, number, 37) * 3)),
    deployments_total: total,
    deployments_active: Math.floor(total * noise(seed, number, 38) * 0.2),
    is_public: true,
    mine: false,
    created: timestampOf(number),
    updated: timestampOf(number, revised),
    rev_note: revised > 150 ? chosen(['newer release', 'fixes the firewall', 'quiet apt'], seed, number, 39) : '',
  };
}

/** The StackScripts by id: the public ones, then the account's own. */
export const scriptsOf = perCloud((cloud) => {
  const { seed, time } = cloud.options;
  const images = [...imagesOf(cloud).values()].filter(({ is_public, deprecated }) => is_public && !deprecated);
  const imageIds = images.map(({ id }) => id);
  const timestampAgo = (days: number) => timestamp(time - days * day);
  const everybodys = Array.from({ length: publicCount }, (_, number) => publicScript(seed, number, imageIds));
  const own = ownScripts.map(
    ({ script: _, daysAgo, ...rest }, place): StackScript => ({
      id: firstOwn + place * 7,
      username: 'operator',
      user_avatar_id: '',
      mine: true,
      created: timestampAgo(daysAgo),
      updated: timestampAgo(daysAgo / 3),
      ...rest,
    }),
  );
  return byId([...everybodys, ...own]);
});

/** The script that a StackScript has at first; it is not kept, for there are thousands. */
export function seedScript({ id, label, images }: StackScript): string {
  const own = ownScripts[(id - firstOwn) / 7];
  if (own) return own.script;
  const command = commands.find(({ what }) => label.startsWith(what));
  return publicText(label, images, command?.packages ?? 'curl');
}

const publicText = (label: string, images: readonly string[], packages: string) => `#!/bin/bash
# ${label}
# Made for ${images.join(', ')}.
#
# <UDF name="hostname" label="The host name of the new server" example="app-1" default="" />
# <UDF name="timezone" label="Time zone" default="UTC" example="Europe/Vienna" />
# <UDF name="firewall" label="Close all other ports" oneOf="yes,no" default="yes" />

set -euo pipefail
exec > >(tee -a /var/log/stackscript.log) 2>&1

install() {
  if command -v apt-get >/dev/null; then
    apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy "$@"
  else
    dnf install -qy "$@"
  fi
}

[ -n "$HOSTNAME" ] && hostnamectl set-hostname "$HOSTNAME"
timedatectl set-timezone "\${TIMEZONE:-UTC}"
install ${packages}

if [ "$FIREWALL" = "yes" ]; then
  for port in 22 80 443; do
    firewall-cmd --permanent --add-port="$port/tcp" || ufw allow "$port/tcp"
  done
fi

echo "${label} is ready."
`;
