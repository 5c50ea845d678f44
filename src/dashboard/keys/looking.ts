/** Keys that change what the screen shows, and nothing else. */
import type { Binding } from '../binding.ts'
import type { Motion } from '../message.ts'
import { focusByNumber, say } from '../outcomes.ts'
import { subjectOf } from '../subject.ts'
import { notOrder, panes, prompts, texts } from './contexts.ts'

const moving = (id: string, keys: readonly string[], title: string, motion: Motion): Binding => ({
  id,
  keys,
  contexts: [...panes, ...texts],
  group: 'look around',
  title,
  does: () => say({ kind: 'moved', motion }),
})

export const lookingKeys: readonly Binding[] = [
  {
    id: 'pane.number',
    keys: ['1', '2', '3', '4', '5'],
    label: '1-5',
    contexts: notOrder,
    group: 'look around',
    title: 'go to a pane by its number',
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
  moving('line.down', ['j', 'down'], 'down', { kind: 'rows', by: 1 }),
  moving('line.up', ['k', 'up'], 'up: a list that follows stands still', { kind: 'rows', by: -1 }),
  moving('page.down', ['ctrl-d', 'pagedown'], 'half a screen down', { kind: 'halves', by: 1 }),
  moving('page.up', ['ctrl-u', 'pageup'], 'half a screen up', { kind: 'halves', by: -1 }),
  moving('list.first', ['g', 'home'], 'to the first row', { kind: 'first' }),
  moving('list.last', ['G', 'end'], 'to the last row, and follow', { kind: 'last' }),
  {
    id: 'detail.open',
    keys: ['enter'],
    contexts: panes,
    group: 'look around',
    title: 'show the chosen row whole',
    footer: 'open',
    disabled: (model) => (subjectOf(model) ? undefined : 'there is nothing to open'),
    does: () => say({ kind: 'opened' }),
  },
  {
    id: 'filter.edit',
    keys: ['/'],
    contexts: panes,
    group: 'look around',
    title: 'filter the traffic: confirm  status>=400  from:SS  !polling  /regex/',
    footer: 'filter',
    does: ({ filter }) =>
      say(
        { kind: 'focused', pane: 'traffic' },
        { kind: 'prompted', prompt: { kind: 'filter', before: filter.draft } },
      ),
  },
  {
    id: 'follow',
    keys: ['F'],
    contexts: panes,
    group: 'look around',
    title: 'follow what is new, or stand still',
    does: () => say({ kind: 'followed' }),
  },
  {
    id: 'peel',
    keys: ['esc'],
    contexts: [...panes, ...texts, ...prompts],
    group: 'look around',
    title: 'take one layer away: prompt, text, filter, narrowing, past',
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
    group: 'look around',
    title: 'keep the filter',
    footer: 'keep',
    does: () => say({ kind: 'answered' }),
  },
  {
    id: 'filter.erase',
    keys: ['backspace', 'delete', 'ctrl-h'],
    contexts: ['filter'],
    group: 'look around',
    title: 'erase a sign of the filter',
    does: () => say({ kind: 'erased', all: false }),
  },
  {
    id: 'filter.clear',
    keys: ['ctrl-u'],
    contexts: ['filter'],
    group: 'look around',
    title: 'erase the whole filter',
    footer: 'clear',
    does: () => say({ kind: 'erased', all: true }),
  },
]
