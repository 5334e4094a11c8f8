/** The software that public StackScripts set up, and its packages. */
export const commands: readonly { what: string; packages: string }[] = [
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

/** One of the account's own StackScripts as it is at first. */
interface OwnScript {
  label: string;
  description: string;
  images: readonly string[];
  deployments_total: number;
  deployments_active: number;
  is_public: boolean;
  rev_note: string;
  daysAgo: number;
  script: string;
}

/** The account's own StackScripts. */
export const ownScripts: readonly OwnScript[] = [
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
