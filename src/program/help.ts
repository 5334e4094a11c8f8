/** Printed by `--help`: one screen of 80×24, without an escape sequence. */
export const help = `\
Skydeck: a full-screen terminal dashboard for a cloud hosting API.

  skydeck [AREA[/ID]]        open it, on that area: home, fleet, volumes/12
  skydeck --demo             the same on a built-in demo API, no account needed
  skydeck watch [BOARD...]   a wall monitor: board after board, read-only
  skydeck snapshot [AREA]    print once and exit; also what a pipe gets
  skydeck doctor             check config, token, clock, terminal and latency
  skydeck demo-api           run only the demo API; --port 4010

  --base-url URL   everything before /v4      --read-only        change nothing
  --profile NAME   a profile of the config    --refresh SECONDS  15 by default
  --config FILE    another config file        --ascii            plain letters
  --log-file FILE  one JSON line per call     --no-color         no colours
  --theme NAME     dark, light, high-contrast, mono;  --colors 16|256|truecolor
  --format text|json|csv, --fail-on problem|critical, --all      with snapshot
  --every SECONDS, --bell, --notify  with watch        --mouse, --screen-reader
  --servers 40, --latency MS, --faults LIST, --seed N     with --demo, demo-api

SKYDECK_TOKEN holds the token, which is never an option. SKYDECK_BASE_URL,
SKYDECK_PROFILE, SKYDECK_CONFIG, NO_COLOR stand for options. [profiles.NAME]
in ~/.config/skydeck/config.toml: base_url, token_env|file|command, read_only,
critical, theme, colors, mouse, screen_reader, refresh, vocabulary.
Exit: 0 fine, 1 problems, 2 usage, 3 no API, 70 crash, 74 output not written.
`;
