import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type CommandName, commandNames } from '../src/program/commandLine/commands.ts';
import { code, pageHead } from './markdown.ts';

const names = ['dashboard', ...commandNames] as readonly Exclude<CommandName, 'complete'>[];

/** Lines of a shell for each command; their pipes shorten what is printed. */
const lines: Readonly<Record<(typeof names)[number], readonly string[]>> = {
  dashboard: ['skydeck servers | head -n 4'],
  watch: ['skydeck watch --every 2 problems'],
  snapshot: [
    'skydeck snapshot problems --filter severity:critical | head -n 4',
    "skydeck snapshot servers --filter 'tag:web cpu>20' --sort=-cpu --columns label,status,cpu --limit 3",
    'skydeck snapshot fleet --sort=-in --limit 2 --format jsonl',
    "skydeck snapshot home --section 'happening now'",
    'skydeck snapshot servrs',
  ],
  export: ['skydeck export servers --format ansible --filter tag:web | head -n 9'],
  ssh: ['skydeck ssh web1'],
  plan: ['skydeck plan show plan.json', 'skydeck plan apply plan.json --dry-run'],
  dns: [
    'skydeck dns export example.com | head -n 5',
    'skydeck dns check broken.zone',
    'skydeck dns plan example.com.zone',
  ],
  doctor: ["skydeck doctor | grep -E 'clock|token|lists'"],
  config: ['skydeck config init | head -n 4', 'skydeck config check broken.toml'],
  cache: ['skydeck cache'],
  completion: ['skydeck completion fish | head -n 1'],
  'demo-api': ['skydeck demo-api --port 70000'],
  help: ['skydeck help cache'],
  version: ['skydeck version'],
};

/** The time of all processes, so that each run prints the same. */
const at = '2026-11-23T18:04:00Z';
const frozen = `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)); }
  static now() { return Real.parse('${at}'); }
};
const { ServerResponse } = require('node:http');
const { writeHead } = ServerResponse.prototype;
ServerResponse.prototype.writeHead = function (...given) {
  this.setHeader('date', new Date().toUTCString());
  return writeHead.apply(this, given);
};`;

const files = {
  'frozen.cjs': frozen,
  'broken.zone': '$ORIGIN example.com.\nwww IN A 192.0.2.256\nmail IN MX ten mail\n',
  'broken.toml': '[profiles.work]\nbase_ulr = "https://api.example.com"\nrefresh = 0\n',
};

const mark = '\u0001';

/** The page with what each command prints: the built program runs in a shell, against the demo API. */
export function transcriptsPage(): string {
  const home = mkdtempSync(join(tmpdir(), 'skydeck-transcripts-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text, { mode: 0o600 });
    const script = [
      `cd ${home}`,
      `skydeck() { "${process.execPath}" "${resolve('dist/skydeck.js')}" "$@"; }`,
      `exec 3< <(exec "${process.execPath}" "${resolve('dist/skydeck.js')}" demo-api --port 0)`,
      'demo=$!',
      'read -r _ _ _ _ _ SKYDECK_BASE_URL _ <&3',
      'export SKYDECK_BASE_URL SKYDECK_TOKEN=demo-full',
      'skydeck dns export example.com > example.com.zone && echo "new 300 IN A 192.0.2.9" >> example.com.zone',
      'skydeck dns plan example.com.zone --out plan.json > /dev/null',
      'set -o pipefail',
      ...Object.values(lines)
        .flat()
        .map((line) => `${line} 2>&1; echo "${mark}$?${mark}"`),
      'echo $SKYDECK_BASE_URL',
      'kill $demo',
    ];
    const env = {
      ...{ PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', TZ: 'UTC', EDITOR: 'true' },
      NODE_OPTIONS: `--require=${join(home, 'frozen.cjs')}`,
    };
    const { stdout, stderr } = spawnSync('bash', ['-c', script.join('\n')], { env, encoding: 'utf8' });
    const parts = stdout.split(mark);
    const host = new URL(parts.at(-1)?.trim() || 'http://none').host;
    if (parts.length !== 2 * Object.values(lines).flat().length + 1) throw new Error(`The commands failed: ${stderr}`);
    const clean = (text = '') =>
      text
        .replaceAll(home, '~')
        .replaceAll(`http://${host}`, 'https://api.example.com')
        .replaceAll(host, 'api.example.com')
        .replace(/^(skydeck \S+) \(.*\)$/m, '$1 (commit …, Node …)')
        .trim();
    let nth = 0;
    const sections = names.map((name) => {
      const runs = lines[name].map((line) => {
        const [printed, ended] = [clean(parts[nth]), parts[nth + 1]];
        nth += 2;
        return [`$ ${line}`, printed, ...(ended === '0' ? [] : [`(exit code ${ended})`])].filter(Boolean).join('\n');
      });
      return `## ${name === 'dashboard' ? 'Without a command' : code(name)}\n\n\`\`\`console\n${runs.join('\n\n')}\n\`\`\``;
    });
    const head = pageHead(
      'Transcripts',
      `Each command as it is run in a shell, with \`SKYDECK_TOKEN\` and \`SKYDECK_BASE_URL\` for the demo API, at ${at}.`,
    );
    return `${[head, ...sections].join('\n\n')}\n`;
  } finally {
    rmSync(home, { recursive: true, maxRetries: 5 });
  }
}
