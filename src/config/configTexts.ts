import { stringify } from 'smol-toml';
import type { ConfigFile } from './schema.ts';

/** A configuration to begin with, as its page has it. */
export const sampleConfig = `[profiles.work]
base_url = "https://api.example.com"
token_command = ["pass", "show", "cloud/work"] # or token_file = "~/.secrets/cloud", or token_env = "CLOUD_TOKEN"
critical = true # a red header; each change is confirmed by typing the label
refresh = 30

[profiles.work.ssh]
run = ["ssh", "{user}@{address}"]
user = "root"

[[profiles.work.guards]]
where = "tag:prod"
actions = ["delete", "resize"]
ask = "label"
reason = "Production is changed by two people."

[profiles.wall]
base_url = "https://api.example.com"
token_file = "/etc/skydeck/wall.token"
read_only = true # no option can lift it
theme = "high-contrast"

[views.production]
area = "servers"
filter = "tag:prod"
sort = "-cpu"
columns = ["label", "status", { value = "specs.gpus", title = "GPUs" }]

[[commands]]
name = "Trace"
for = "servers"
changes = false
run = ["mtr", "--report", "{ipv4.0}"]

[[rules]]
for = "servers"
where = "tag:prod !status:running"
severity = "critical"
says = "{label} is {status}"

[[hooks]]
on = ["critical", "recovered"]
run = ["notify-send", "Skydeck"]
`;

/** The same as comments, of which a person takes what is wanted. */
export const beginning = `# The configuration of Skydeck. Take away the # before what you want; skydeck config check tells every mistake.
# docs/config.md has every key, and skydeck config schema tells them to an editor.

${sampleConfig.replace(/^(?=.)/gm, '# ')}`;

/** Views as the configuration has them. */
export const viewsText = (views: ConfigFile['views']): string => stringify({ views });
