import type { KeyName, LayerName } from '../keymap.ts';

/** Keys in place of those of `keymap`, by layer and action; the first is the one that the footer shows. */
type Preset = { readonly [L in LayerName]?: { readonly [K in KeyName<L>]?: readonly string[] } };

const vimMoves = { pageUp: ['ctrl-u', 'ctrl-b', 'pageup'], pageDown: ['ctrl-d', 'ctrl-f', 'pagedown'] };

/** As in vim: h and l, half pages by ctrl-d and ctrl-u, y copies, i and o edit and add. */
const vim: Preset = {
  everywhere: { refresh: ['r'], escape: ['esc', 'left', 'h'], back: ['[', 'ctrl-o'], redo: ['ctrl-r', 'U'] },
  home: { ...vimMoves, open: ['enter', 'l', 'right'] },
  list: {
    ...vimMoves,
    open: ['enter', 'l', 'right'],
    create: ['o', 'n'],
    edit: ['i', 'e'],
    markRange: ['V'],
    copy: ['y', 'c'],
    jump: ['O'],
  },
  accounts: { refresh: ['r'] },
  problem: vimMoves,
  detail: { edit: ['i', 'e'], copy: ['y', 'c'], jump: ['O'] },
  overview: { ...vimMoves, open: ['enter', 'l', 'right'] },
  history: { ...vimMoves, open: ['enter', 'l', 'right'] },
  comparison: vimMoves,
  text: { ...vimMoves, copy: ['y', 'Y'] },
  graphs: { left: ['h', 'left'], right: ['l', 'right'] },
  fleet: { earlier: ['h', 'left'], later: ['l', 'right'] },
  conversation: vimMoves,
  spending: { ...vimMoves, open: ['enter', 'l', 'right'] },
};

/** As in k9s: d describes, D deletes, s is a shell, y shows the source, capitals sort. */
const k9s: Preset = {
  everywhere: { refresh: ['ctrl-r', 'r'], back: ['[', '-'], shell: ['s', 'S'], takeBack: ['U'], redo: ['ctrl-y'] },
  list: {
    open: ['enter', 'd', 'right'],
    remove: ['D'],
    sort: ['O'],
    markRange: ['V'],
    clear: ['esc', 'ctrl-\\'],
    related: ['x', 'u'],
  },
  detail: { remove: ['D'], related: ['x', 'u'] },
  history: { takeBack: ['U'] },
  journal: { takeBack: ['U'] },
  sent: { takeBack: ['U'] },
};

/** As in lazygit: x opens the actions, v marks a range, the brackets change the tab, comma and dot turn pages. */
const lazygit: Preset = {
  everywhere: { refresh: ['R', 'r'], back: ['{', 'ctrl-o'], forward: ['}'], journal: ['J', '@'], zone: ['O'] },
  home: { pageUp: [',', 'pageup'], pageDown: ['.', 'pagedown'], first: ['<', 'home'], last: ['>', 'end'] },
  list: {
    actions: ['x', 'a'],
    related: ['w'],
    export: ['E'],
    markRange: ['v', 'V'],
    compare: ['W'],
    compareRelated: ['W'],
    copy: ['y', 'c'],
    pageUp: [',', 'pageup'],
    pageDown: ['.', 'pagedown'],
    first: ['<', 'g', 'home'],
    last: ['>', 'G', 'end'],
  },
  sections: { next: [']', 'tab'], previous: ['[', 'shift-tab'] },
  detail: {
    actions: ['x', 'a'],
    related: ['w'],
    copy: ['y', 'c'],
    nextTab: [']', 'tab'],
    previousTab: ['[', 'shift-tab'],
  },
};

/** Sets of keys to begin with, by the name of the program that they are known from. */
export const presets: Readonly<Record<'default' | 'vim' | 'k9s' | 'lazygit', Preset>> = {
  default: {},
  vim,
  k9s,
  lazygit,
};
