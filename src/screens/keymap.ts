import { dialogKeys } from './keys/dialogKeys.ts';
import { type Layer, moving, related } from './keys/layer.ts';

/** Every key of the program: the footer, the help and the documentation are printed from this table. */
export const keymap = {
  everywhere: {
    title: 'Everywhere',
    depth: 0,
    keys: {
      palette: { keys: [':'], help: 'go to', always: true },
      help: { keys: ['?'], help: 'keys', always: true },
      escape: { keys: ['esc', 'left'], help: 'back', minor: true },
      back: { keys: ['['], help: 'previous place', minor: true },
      forward: { keys: [']'], help: 'next place', minor: true },
      refresh: { keys: ['r'], help: 'refresh now', minor: true },
      notices: { keys: ['!'], help: 'notices', minor: true },
      fleet: { keys: ['F'], help: 'fleet graphs', minor: true },
      transfers: { keys: ['T'], help: 'file transfers', minor: true },
      quit: { keys: ['q', 'ctrl-c'], help: 'quit', minor: true },
    },
  },
  home: {
    title: 'Home',
    depth: 1,
    keys: {
      ...moving,
      nextTile: { keys: ['tab'], help: 'next part' },
      previousTile: { keys: ['shift-tab'], help: 'previous part', minor: true },
      open: { keys: ['enter', 'right'], help: 'open' },
      related: { ...related, minor: true },
    },
  },
  list: {
    title: 'Lists',
    depth: 2,
    keys: {
      open: { keys: ['enter', 'right'], help: 'open' },
      create: { keys: ['n'], help: 'new', writes: true },
      edit: { keys: ['e'], help: 'edit', writes: true },
      remove: { keys: ['d'], help: 'delete', minor: true, writes: true },
      actions: { keys: ['a'], help: 'actions', writes: true },
      mark: { keys: ['space'], help: 'mark', writes: true },
      markAll: { keys: ['*'], help: 'mark all shown, or none', minor: true, writes: true },
      filter: { keys: ['/'], help: 'filter' },
      sort: { keys: ['s'], help: 'sort' },
      json: { keys: ['y'], help: 'JSON', minor: true },
      copy: { keys: ['c'], help: 'copy', minor: true },
      related: { ...related, minor: true },
      preview: { keys: ['p'], help: 'preview beside the list, or not', minor: true },
      clear: { keys: ['esc'], help: 'clear filter and marks', minor: true },
      jump: { keys: ['o'], help: 'open what it is about' },
      ticket: { keys: ['t'], help: 'support ticket about it', minor: true, writes: true },
      ...moving,
    },
  },
  sections: {
    title: 'Lists of several views',
    depth: 2.5,
    keys: {
      next: { keys: ['tab'], help: 'next view' },
      previous: { keys: ['shift-tab'], help: 'previous view', minor: true },
    },
  },
  problems: {
    title: 'Problems',
    depth: 1.5,
    keys: {
      remedy: { keys: ['f'], help: 'what helps' },
      acknowledge: { keys: ['m'], help: 'acknowledge' },
    },
  },
  detail: {
    title: 'Details',
    depth: 1,
    keys: {
      nextTab: { keys: ['tab'], help: 'next tab' },
      previousTab: { keys: ['shift-tab'], help: 'previous tab', minor: true },
      nthTab: { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], help: 'that tab', minor: true },
      edit: { keys: ['e'], help: 'edit', writes: true },
      actions: { keys: ['a'], help: 'actions', writes: true },
      remove: { keys: ['d'], help: 'delete', minor: true, writes: true },
      json: { keys: ['y'], help: 'JSON', minor: true },
      copy: { keys: ['c'], help: 'copy' },
      related,
      jump: { keys: ['o'], help: 'open what it is about' },
      ticket: { keys: ['t'], help: 'support ticket about it', minor: true, writes: true },
    },
  },
  overview: { title: 'Overview', depth: 2, keys: moving },
  text: {
    title: 'Text and JSON',
    depth: 2,
    keys: {
      search: { keys: ['/'], help: 'search' },
      next: { keys: ['n'], help: 'next match' },
      previous: { keys: ['N'], help: 'previous match', minor: true },
      copy: { keys: ['Y'], help: 'copy the text' },
      clear: { keys: ['esc'], help: 'end the search', minor: true },
      ...moving,
    },
  },
  graphs: {
    title: 'Graphs',
    depth: 2,
    keys: {
      left: { keys: ['left'], help: 'crosshair' },
      right: { keys: ['right'], help: 'crosshair', minor: true },
      off: { keys: ['esc'], help: 'crosshair off', minor: true },
      next: { keys: ['down', 'j'], help: 'next graph' },
      previous: { keys: ['up', 'k'], help: 'previous graph', minor: true },
      zoom: { keys: ['z'], help: 'one or all' },
      earlier: { keys: ['<', ','], help: 'month before' },
      beside: { keys: ['b'], help: 'month before beside it' },
      later: { keys: ['>', '.'], help: 'month after', minor: true },
      day: { keys: ['t'], help: 'last 24 hours', minor: true },
      month: { keys: ['m'], help: 'type a month', minor: true },
    },
  },
  fleet: {
    title: 'Fleet',
    depth: 2,
    keys: {
      open: { keys: ['enter', 'right'], help: 'graphs' },
      chart: { keys: ['v'], help: 'chart' },
      mark: { keys: ['space'], help: 'mark' },
      next: { keys: ['tab'], help: 'load' },
      previous: { keys: ['shift-tab'], help: 'previous load', minor: true },
      sort: { keys: ['s'], help: 'sort' },
      filter: { keys: ['/'], help: 'filter' },
      clear: { keys: ['esc'], help: 'clear filter and marks', minor: true },
      ...moving,
    },
  },
  months: {
    title: 'Transfer',
    depth: 2,
    keys: {
      earlier: { keys: ['<', ','], help: 'month before' },
      later: { keys: ['>', '.'], help: 'month after' },
      beside: { keys: ['b'], help: 'against the month before' },
      month: { keys: ['m'], help: 'type a month' },
    },
  },
  conversation: {
    title: 'Ticket conversation',
    depth: 2,
    keys: { reply: { keys: ['n'], help: 'reply', writes: true }, ...moving },
  },
  spending: {
    title: 'Spending',
    depth: 2,
    keys: { open: { keys: ['enter', 'right'], help: 'open the invoice' }, ...moving },
  },
  objects: {
    title: 'Objects of a bucket',
    depth: 1,
    keys: {
      prefix: { keys: ['p'], help: 'begins with' },
      above: { keys: ['backspace'], help: 'one level up' },
      flat: { keys: ['f'], help: 'levels or one list' },
    },
  },
  ...dialogKeys,
  watch: {
    title: 'The wall monitor',
    depth: 1,
    modal: true,
    keys: {
      pause: { keys: ['space'], help: 'pause, or go on' },
      next: { keys: ['n', 'right'], help: 'next board' },
      previous: { keys: ['p', 'left'], help: 'previous board' },
      nth: { keys: ['1', '2', '3', '4', '5', '6', '7'], help: 'that board', minor: true },
      quit: { keys: ['q', 'ctrl-c'], help: 'quit', always: true },
    },
  },
} as const satisfies Record<string, Layer>;

export type LayerName = keyof typeof keymap;
export type KeyName<L extends LayerName> = keyof (typeof keymap)[L]['keys'] & string;
