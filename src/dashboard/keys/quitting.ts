/** Keys that close overlays, quit and suspend. */
import type { KeyBinding } from './binding.ts'
import { interrupt, quitOrConfirm, outcomeOf } from '../model/key-outcomes.ts'
import { paneContexts, promptContexts, overlayContexts } from './contexts.ts'

export const quitKeys: readonly KeyBinding[] = [
  {
    id: 'close',
    keys: ['q'],
    contexts: overlayContexts,
    group: 'leave',
    title: 'close the open text',
    footer: 'close',
    always: true,
    run: () => outcomeOf({ kind: 'peeled' }),
  },
  {
    id: 'help.close',
    keys: ['?'],
    contexts: ['help'],
    group: 'leave',
    title: 'close these keys',
    run: () => outcomeOf({ kind: 'peeled' }),
  },
  {
    id: 'quit',
    keys: ['q'],
    contexts: paneContexts,
    group: 'leave',
    title: 'quit; asks when items are held',
    footer: 'quit',
    always: true,
    run: quitOrConfirm,
  },
  {
    id: 'quit.confirm',
    keys: ['q', 'enter', 'y'],
    label: 'q q',
    contexts: ['quit'],
    group: 'leave',
    title: 'quit although items are held',
    run: () => ({ action: { kind: 'quit' } }),
  },
  {
    id: 'quit.now',
    keys: ['Q'],
    contexts: [...paneContexts, ...overlayContexts, 'quit'],
    group: 'leave',
    title: 'quit at once',
    run: () => ({ action: { kind: 'quit' } }),
  },
  {
    id: 'quit.interrupt',
    keys: ['ctrl-c'],
    label: 'ctrl-c twice',
    contexts: [...paneContexts, ...overlayContexts, ...promptContexts],
    group: 'leave',
    title: 'quit, from anywhere',
    run: interrupt,
  },
  {
    id: 'suspend',
    keys: ['ctrl-z'],
    contexts: [...paneContexts, ...overlayContexts, ...promptContexts],
    group: 'leave',
    title: 'to the shell; fg comes back',
    run: () => ({ action: { kind: 'suspend' } }),
  },
]
