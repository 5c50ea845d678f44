/** Keys that close overlays, quit and suspend. */
import type { Binding } from './binding.ts'
import { interrupt, leave, say } from '../model/key-outcomes.ts'
import { panes, prompts, texts } from './contexts.ts'

export const leavingKeys: readonly Binding[] = [
  {
    id: 'close',
    keys: ['q'],
    contexts: texts,
    group: 'leave',
    title: 'close the open text',
    footer: 'close',
    always: true,
    does: () => say({ kind: 'peeled' }),
  },
  {
    id: 'help.close',
    keys: ['?'],
    contexts: ['help'],
    group: 'leave',
    title: 'close these keys',
    does: () => say({ kind: 'peeled' }),
  },
  {
    id: 'quit',
    keys: ['q'],
    contexts: panes,
    group: 'leave',
    title: 'quit; asks when items are held',
    footer: 'quit',
    always: true,
    does: leave,
  },
  {
    id: 'quit.confirm',
    keys: ['q', 'enter', 'y'],
    label: 'q q',
    contexts: ['quit'],
    group: 'leave',
    title: 'quit although items are held',
    does: () => ({ action: { kind: 'quit' } }),
  },
  {
    id: 'quit.now',
    keys: ['Q'],
    contexts: [...panes, ...texts, 'quit'],
    group: 'leave',
    title: 'quit at once',
    does: () => ({ action: { kind: 'quit' } }),
  },
  {
    id: 'quit.interrupt',
    keys: ['ctrl-c'],
    label: 'ctrl-c twice',
    contexts: [...panes, ...texts, ...prompts],
    group: 'leave',
    title: 'quit, from anywhere',
    does: interrupt,
  },
  {
    id: 'suspend',
    keys: ['ctrl-z'],
    contexts: [...panes, ...texts, ...prompts],
    group: 'leave',
    title: 'to the shell; fg comes back',
    does: () => ({ action: { kind: 'suspend' } }),
  },
]
