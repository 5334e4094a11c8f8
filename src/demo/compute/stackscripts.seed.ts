import type { StackScript as StackScriptRow } from '../../resources/compute/stackscripts.ts';
import { byId, perCloud, type Stored } from '../engine/cloud.ts';
import { noise } from '../engine/random.ts';
import { day, timestamp } from '../engine/time.ts';
import { imagesOf } from '../inventory.ts';

/** A StackScript without its script (document 2, 2.8). */
export type StackScript = Omit<Required<Stored<StackScriptRow>>, 'script'> & { user_avatar_id: string };

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

type Told = 'id' | 'created' | 'updated' | 'username' | 'label' | 'images' | 'is_public';

/** A StackScript of the account, as far as nothing else is said of it. */
export const ownScript = (own: Pick<StackScript, Told> & Partial<StackScript>): StackScript => ({
  ...{ user_avatar_id: '', description: '', deployments_total: 0, deployments_active: 0, mine: true, rev_note: '' },
  ...own,
});

/** The StackScripts by id: the public ones, then the account's own. */
export const scriptsOf = perCloud((cloud) => {
  const { seed, time } = cloud.options;
  const images = [...imagesOf(cloud).values()].filter(({ is_public, deprecated }) => is_public && !deprecated);
  const imageIds = images.map(({ id }) => id);
  const timestampAgo = (days: number) => timestamp(time - days * day);
  const everybodys = Array.from({ length: publicCount }, (_, number) => publicScript(seed, number, imageIds));
  const own = ownScripts.map(({ script: _, daysAgo, ...rest }, place) => {
    const times = { created: timestampAgo(daysAgo), updated: timestampAgo(daysAgo / 3) };
    return ownScript({ id: firstOwn + place * 7, username: 'operator', ...times, ...rest });
  });
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

/** The software that public StackScripts set up, and its packages. */
const commands: readonly { what: string; packages: string }[] = [
  { what: 'LAMP stack', packages: 'apache2 mariadb-server php' },
  { what: 'LEMP stack', packages: 'nginx mariadb-server php-fpm' },
  { what: 'WordPress', packages: 'nginx mariadb-server php-fpm wordpress' },
  { what: 'Docker host', packages: 'docker.io docker-compose' },
  { what: 'WireGuard server', packages: 'wireguard qrencode' },
  { what: 'OpenVPN server', packages: 'openvpn easy-rsa' },
  { what: 'Mail server', packages: 'postfix dovecot-imapd rspamd' },
  { what: 'PostgreSQL', packages: 'postgresql' },
  { what: 'Redis', packages: 'redis-server' },
  { what: 'Node.js app', packages: 'nodejs npm nginx' },
  { what: 'Django app', packages: 'python3-venv gunicorn nginx' },
  { what: 'Rails app', packages: 'ruby-full nginx' },
  { what: 'Git server', packages: 'gitolite3' },
  { what: 'Grafana and Prometheus', packages: 'grafana prometheus' },
  { what: 'Jenkins', packages: 'jenkins default-jre' },
  { what: 'Game server', packages: 'screen lib32gcc-s1' },
  { what: 'Nextcloud', packages: 'nextcloud mariadb-server' },
  { what: 'Load balancer', packages: 'haproxy' },
];

/** The account's own StackScripts as they are at first. */
const ownScripts = [
  {
    label: 'web-node',
    description: 'A web server of the fleet: packages, deploy key, release, registration at the load balancer.',
    images: ['server/debian12'],
    deployments_total: 31,
    deployments_active: 8,
    is_public: false,
    rev_note: 'nginx from the distribution',
    daysAgo: 410,
    script: `#!/bin/bash
# Sets up one web server of the fleet.
#
# <UDF name="release" label="Release to deploy" example="2024.18" />
# <UDF name="role" label="Role" oneOf="web,api,worker" default="web" />
# <UDF name="modules" label="Additional nginx modules" manyOf="brotli,geoip2,headers-more,lua" default="brotli" />
# <UDF name="deploy_password" label="Password of the deploy user" />

set -euo pipefail
log=/var/log/stackscript.log

say() {
  printf '%s %s\\n' "$(date +%T)" "$*" | tee -a "$log"
}

say "setting up $ROLE, release $RELEASE"
apt-get update -q
DEBIAN_FRONTEND=noninteractive apt-get install -qy nginx curl rsync

useradd --create-home --shell /bin/bash deploy
echo "deploy:$DEPLOY_PASSWORD" | chpasswd

IFS=',' read -ra modules <<< "\${MODULES:-}"
for module in "\${modules[@]}"; do
  apt-get install -qy "libnginx-mod-$module" || say "no module $module"
done

cat > /etc/nginx/conf.d/health.conf <<'EOF'
server {
  listen 127.0.0.1:8081;
  location /health { return 200 "ok\\n"; }
}
EOF

case "$ROLE" in
  web) systemctl enable --now nginx ;;
  api | worker) systemctl enable "app-$ROLE" ;;
  *) say "unknown role"; exit 1 ;;
esac

if ! curl --fail --silent --retry 5 http://127.0.0.1:8081/health; then
  say "not healthy"
  exit 1
fi
say "ready"
`,
  },
  {
    label: 'ci-runner',
    description: 'A build machine that registers itself.',
    images: ['server/ubuntu24.04', 'server/ubuntu22.04'],
    deployments_total: 12,
    deployments_active: 2,
    is_public: false,
    rev_note: '',
    daysAgo: 160,
    script: `#!/bin/bash
# <UDF name="runner_token" label="Registration token" />
# <UDF name="slots" label="Builds at once" oneOf="1,2,4,8" default="2" />
set -eu
apt-get update -q
apt-get install -qy build-essential git docker.io
install -m 0600 /dev/null /etc/runner.env
printf 'TOKEN=%s\\nSLOTS=%s\\n' "$RUNNER_TOKEN" "$SLOTS" >> /etc/runner.env
systemctl enable --now docker
`,
  },
  {
    label: 'baseline',
    description: 'What every server gets: time, logs, automatic updates. Nothing to fill in.',
    images: ['server/debian12', 'server/debian11', 'server/ubuntu22.04', 'server/ubuntu24.04'],
    deployments_total: 57,
    deployments_active: 26,
    is_public: true,
    rev_note: 'time zone is UTC everywhere',
    daysAgo: 730,
    script: `#!/bin/sh
set -e
timedatectl set-timezone UTC
apt-get update -q
apt-get install -qy unattended-upgrades chrony rsyslog
systemctl enable --now chrony
`,
  },
];
