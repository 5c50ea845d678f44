/** Keys for faults, verdicts of invariants, and the explanation of an order. */
import { bindingsOf, paneContexts } from './binding.ts'
import type { KeyOutcome } from '../model/message.ts'
import { formOfSpec } from '../model/fault-form.ts'
import { newFaultForm } from '../model/open-fault-form.ts'
import type { Model } from '../model/model.ts'
import {
  inThePast,
  noOrder,
  notChangeable,
  outcomeOf,
  withoutSession,
} from '../model/key-outcomes.ts'
import { notJudgedReason } from '../view/overlays/verdicts.ts'
import { openFaultForm, openFaultLine } from './fault-form.ts'
import { openListTarget } from '../view/overlays/catalogue.ts'

const listStart = { chosen: undefined, top: 0 } as const

function chooseFault(model: Model): KeyOutcome {
  const target = openListTarget(model)
  if (target?.kind === 'addable') return openFaultForm(newFaultForm(model, target.name))
  if (target?.kind !== 'fault') return {}
  const { id, text, over } = target.fault
  const replaces = over === undefined ? id : undefined
  const form = formOfSpec(text, replaces)
  return form.ok ? openFaultForm(form.value) : openFaultLine(text, replaces)
}

function removeFault(model: Model): KeyOutcome {
  const target = openListTarget(model)
  if (target?.kind !== 'fault') return {}
  const { id, text } = target.fault
  return {
    action: {
      kind: 'submit',
      command: { kind: 'fault.remove', id },
      notice: `disabled: ${text}`,
    },
  }
}

const noFault = (model: Model): string | undefined => {
  const target = openListTarget(model)
  return (
    notChangeable(model) ??
    (target?.kind === 'fault' && target.fault.over === undefined
      ? undefined
      : 'no active fault is chosen')
  )
}

function jumpToExchange(model: Model): KeyOutcome {
  const target = openListTarget(model)
  return target?.kind === 'exchange' ? outcomeOf({ kind: 'jumped', seq: target.seq }) : {}
}

const noExchange = (model: Model): string | undefined =>
  openListTarget(model)?.kind === 'exchange' ? undefined : 'no exchange is chosen'

export const faultAndVerdictKeys = bindingsOf(
  { group: 'chaos and verdicts', contexts: paneContexts },
  [
    {
      id: 'faults.open',
      keys: ['f'],
      title: 'faults: the active ones, and all to add',
      footer: 'faults',
      footerIn: ['traffic', 'facts'],
      disabledReason: withoutSession,
      run: () => outcomeOf({ kind: 'listed', overlay: { kind: 'faults', ...listStart } }),
    },
    {
      id: 'fault.choose',
      changes: true,
      meaning: 'open',
      keys: ['enter'],
      contexts: ['faults'],
      title: 'in faults: add it, or change it',
      footer: 'add',
      disabledReason: notChangeable,
      run: chooseFault,
    },
    {
      id: 'fault.remove',
      changes: true,
      meaning: 'remove',
      keys: ['x'],
      contexts: ['faults'],
      title: 'in faults: disable it',
      footer: 'disable',
      disabledReason: noFault,
      run: removeFault,
    },
    {
      id: 'fault.end',
      changes: true,
      anywhere: true,
      keys: ['0'],
      contexts: ['faults'],
      title: 'faults: disable all, recovery begins',
      footer: 'end all',
      disabledReason: notChangeable,
      run: () => ({
        action: {
          kind: 'submit',
          command: { kind: 'fault.end' },
          notice: 'all faults are disabled: from here on everything goes as it should',
        },
      }),
    },
    {
      id: 'verdicts.open',
      keys: ['I'],
      title: 'rules: which your service failed',
      footer: 'verdicts',
      footerIn: ['traffic', 'facts'],
      disabledReason: notJudgedReason,
      run: () => outcomeOf({ kind: 'listed', overlay: { kind: 'verdicts', ...listStart } }),
    },
    {
      id: 'verdict.open',
      meaning: 'open',
      keys: ['enter'],
      contexts: ['verdicts'],
      title: 'one rule with its findings',
      footer: 'open',
      run(model) {
        const target = openListTarget(model)
        if (target?.kind !== 'verdict') return {}
        return outcomeOf({
          kind: 'listed',
          overlay: { kind: 'verdict', id: target.id, ...listStart },
        })
      },
    },
    {
      id: 'verdicts.judge',
      changes: true,
      anywhere: true,
      keys: ['r'],
      contexts: ['verdicts'],
      title: 'ask your service for its view, and check',
      footer: 'ask and judge',
      disabledReason: notJudgedReason,
      run: () => ({ action: { kind: 'judge' } }),
    },
    {
      id: 'evidence.go',
      meaning: 'open',
      keys: ['enter'],
      contexts: ['verdict', 'story'],
      title: 'to the exchange, in the traffic',
      footer: 'to the exchange',
      disabledReason: noExchange,
      run: jumpToExchange,
    },
    {
      id: 'story.open',
      keys: ['w'],
      title: 'why: the story of the order',
      footer: 'why',
      footerIn: ['orders', 'order'],
      disabledReason: (model) => inThePast(model) ?? noOrder(model),
      run: ({ orderId = '' }) =>
        outcomeOf({ kind: 'listed', overlay: { kind: 'story', about: orderId, ...listStart } }),
    },
  ],
)
