/** Keys that change what the screen shows, and nothing else. */
import type { Binding } from '../binding.ts'
import type { Motion } from '../message.ts'
import { focusByNumber, say } from '../outcomes.ts'
import { subjectOf } from '../subject.ts'
import { notOrder, panes, prompts, texts } from './contexts.ts'

const moving = (
  id: string,
  keys: readonly string[],
  [title, footer]: readonly [string, string],
  motion: Motion,
): Binding => ({
  id,
  keys,
  contexts: [...panes, ...texts],
  group: 'look around',
  title,
  footer,
  footerIn: texts,
  does: () => say({ kind: 'moved', motion }),
})

export const lookingKeys: readonly Binding[] = [
  {
    id: 'pane.number',
    keys: ['1', '2', '3', '4', '5'],
    label: '1-5',
    contexts: notOrder,
    group: 'look around',
    title: 'go to a pane',
    does: (_, press) => focusByNumber(press),
  },
  {
    id: 'pane.next',
    keys: ['tab'],
    contexts: panes,
    group: 'look around',
    title: 'next pane',
    footer: 'pane',
    does: () => say({ kind: 'cycled', by: 1 }),
  },
  {
    id: 'pane.previous',
    keys: ['shift-tab'],
    contexts: panes,
    group: 'look around',
    title: 'previous pane',
    does: () => say({ kind: 'cycled', by: -1 }),
  },
  moving('line.down', ['j', 'down'], ['down', 'down'], { kind: 'rows', by: 1 }),
  moving('line.up', ['k', 'up'], ['up; in the past this stops following', 'up'], {
    kind: 'rows',
    by: -1,
  }),
  moving('page.down', ['ctrl-d', 'pagedown'], ['half a screen down', 'page'], {
    kind: 'halves',
    by: 1,
  }),
  moving('page.up', ['ctrl-u', 'pageup'], ['half a screen up', 'page up'], {
    kind: 'halves',
    by: -1,
  }),
  moving('list.first', ['g', 'home'], ['first row', 'top'], { kind: 'first' }),
  moving('list.last', ['G', 'end'], ['last row, and follow', 'end'], { kind: 'last' }),
  {
    id: 'detail.open',
    keys: ['enter'],
    contexts: panes,
    group: 'look around',
    title: 'open the chosen row',
    footer: 'open',
    disabled: (model) => (subjectOf(model) ? undefined : 'there is nothing to open'),
    does: () => say({ kind: 'opened' }),
  },
  {
    id: 'filter.edit',
    keys: ['/'],
    contexts: panes,
    group: 'filter',
    title: 'filter the traffic',
    footer: 'filter',
    does: ({ filter }) =>
      say(
        { kind: 'focused', pane: 'traffic' },
        { kind: 'prompted', prompt: { kind: 'filter', before: filter.draft } },
      ),
  },
  {
    id: 'traffic.idle',
    keys: ['b'],
    contexts: ['traffic'],
    group: 'filter',
    title: 'in pane 2: show idle polls, or hide',
    footer: 'idle polls',
    does: () => say({ kind: 'idled' }),
  },
  {
    id: 'follow',
    keys: ['F'],
    contexts: panes,
    group: 'look around',
    title: 'follow what is new, or stop',
    does: () => say({ kind: 'followed' }),
  },
  {
    id: 'peel',
    keys: ['esc'],
    contexts: [...panes, ...texts, ...prompts],
    group: 'look around',
    title: 'back, one layer at a time',
    does: () => say({ kind: 'peeled' }),
  },
  {
    id: 'help',
    keys: ['?'],
    contexts: panes,
    group: 'look around',
    title: 'these keys',
    footer: 'help',
    always: true,
    does: () => say({ kind: 'helped' }),
  },
  {
    id: 'filter.accept',
    keys: ['enter'],
    contexts: ['filter'],
    group: 'filter',
    title: 'keep it',
    footer: 'keep',
    does: () => say({ kind: 'answered' }),
  },
  {
    id: 'filter.erase',
    keys: ['backspace', 'delete', 'ctrl-h'],
    contexts: ['filter'],
    group: 'filter',
    title: 'erase a sign',
    does: () => say({ kind: 'erased', all: false }),
  },
  {
    id: 'filter.clear',
    keys: ['ctrl-u'],
    contexts: ['filter'],
    group: 'filter',
    title: 'erase all',
    footer: 'clear',
    does: () => say({ kind: 'erased', all: true }),
  },
]
