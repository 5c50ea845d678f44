/** Keys that close overlays, quit and suspend. */
import { bindingsOf, overlayContexts, paneContexts, promptContexts } from './binding.ts'
import { interrupt, noAction, outcomeOf, quitOrConfirm } from '../model/key-outcomes.ts'

export const quitKeys = bindingsOf(
  { group: 'leave', contexts: [...paneContexts, ...overlayContexts, ...promptContexts] },
  [
    {
      id: 'close',
      meaning: 'close',
      keys: ['q'],
      contexts: overlayContexts,
      title: 'close the open text',
      footer: 'close',
      always: true,
      run: () => outcomeOf({ kind: 'closed' }),
    },
    {
      id: 'help.close',
      meaning: 'help',
      keys: ['?'],
      contexts: ['help'],
      title: 'close these keys',
      run: () => outcomeOf({ kind: 'closed' }),
    },
    {
      id: 'quit',
      meaning: 'close',
      keys: ['q'],
      contexts: paneContexts,
      title: 'quit; asks when something would be lost',
      footer: 'quit',
      always: true,
      run: quitOrConfirm,
    },
    {
      id: 'quit.confirm',
      keys: ['y', 'enter'],
      label: 'q y',
      contexts: ['quit'],
      title: 'quit although something is lost',
      run: () => ({ action: { kind: 'quit' } }),
    },
    {
      id: 'quit.save',
      keys: ['s'],
      label: 'q s',
      contexts: ['quit'],
      title: 'save what you did as a scenario first',
      disabledReason: noAction,
      run: () => outcomeOf({ kind: 'prompted', prompt: { kind: 'save', draft: '', quits: true } }),
    },
    {
      id: 'quit.now',
      keys: ['Q'],
      contexts: [...paneContexts, ...overlayContexts, 'quit'],
      title: 'quit at once, without a question',
      run: () => ({ action: { kind: 'quit' } }),
    },
    {
      id: 'quit.interrupt',
      keys: ['ctrl-c'],
      label: 'ctrl-c twice',
      title: 'quit at once, from anywhere',
      run: interrupt,
    },
    {
      id: 'suspend',
      keys: ['ctrl-z'],
      title: 'to the shell; fg comes back',
      run: () => ({ action: { kind: 'suspend' } }),
    },
  ],
)
