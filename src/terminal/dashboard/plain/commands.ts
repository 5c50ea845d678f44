/**
 * Commands of the line prompt: short names for actions of the palette, and those that name an order, an exchange or an
 * item.
 */
import { faultCatalogue } from '../../../core/faults/catalogue.ts'
import { faultProfiles } from '../../../core/faults/profiles.ts'
import { parseDuration } from '../../../core/protocol/duration.ts'
import { orderTypes } from '../../../core/protocol/orders/order.ts'
import { outcomeOf } from '../model/key-outcomes.ts'
import type { Model } from '../model/model.ts'
import { statusSentences } from './rows.ts'
import {
  plainNotice,
  paletteStep,
  showStep,
  paneStep,
  namedOrderStep,
  itemSteps,
  pauseStep,
  exchangeSteps,
  listStart,
  firstWord,
  orderNames,
  numberIn,
  activeFaults,
  type PlainStep,
} from './steps.ts'

export interface PlainCommand {
  /** Of one or two words. */
  readonly name: string
  /** Its argument, as the help shows it. */
  readonly argument?: string
  readonly summary: string
  /** Arguments for completion. */
  readonly suggestions?: (model: Model) => readonly string[]
  readonly steps: (text: string) => readonly PlainStep[]
  /** It reads out the pane, also when that is the one that was shown before. */
  readonly readsPane?: true
}

/** Does an action of the palette. */
const actionCommand = (name: string, summary: string, id: string): PlainCommand => ({
  name,
  summary,
  steps: () => [paletteStep(id)],
})

/** Does an action of the palette on an item of the agenda. */
const itemCommand = (name: string, summary: string, id: string): PlainCommand => ({
  name,
  argument: '<item>',
  summary,
  suggestions: ({ snapshot }) => (snapshot?.agenda ?? []).map((row) => String(row.id)),
  steps: itemSteps(id),
})

export const plainCommands: readonly PlainCommand[] = [
  {
    name: 'status',
    summary: 'clock, counts, roles, rules that failed',
    steps: () => [
      (model) => outcomeOf({ kind: 'shown', title: 'Status', lines: statusSentences(model) }),
    ],
  },
  {
    name: 'new order',
    argument: '[delivery, takeout or indoor]',
    summary: 'make an order',
    suggestions: () => orderTypes.map((type) => type.toLowerCase()),
    steps: (text) => {
      const type = orderTypes.find((each) => each.toLowerCase() === firstWord(text).toLowerCase())
      return [paletteStep(type === undefined ? 'order.new N' : `new ${type.toLowerCase()}`)]
    },
  },
  {
    name: 'orders',
    summary: 'the orders, newest first',
    steps: () => [paneStep('orders', { kind: 'tab-chosen', tab: 'order' })],
    readsPane: true,
  },
  {
    name: 'order',
    argument: '[o1]',
    summary: 'one order: its history, events and document',
    suggestions: orderNames,
    steps: (text) => [
      namedOrderStep(text, (orderId) => [
        { kind: 'tab-chosen', tab: 'order' },
        { kind: 'chosen', orderId },
      ]),
      ({ snapshot, orderId }) =>
        snapshot?.order?.row.orderId === orderId || snapshot?.playback
          ? outcomeOf({ kind: 'focused', pane: 'order' }, { kind: 'opened' })
          : {},
    ],
  },
  {
    name: 'explain',
    argument: '[o1]',
    summary: 'the story of an order: what each side did and knew',
    suggestions: orderNames,
    steps: (text) => [
      namedOrderStep(text, (about) => [
        { kind: 'listed', overlay: { kind: 'story', about, ...listStart } },
      ]),
    ],
  },
  {
    name: 'traffic',
    argument: '[filter, such as failed or confirm]',
    summary: 'the last exchanges',
    steps: (text) => [paneStep('traffic', { kind: 'filtered', text: text.trim() })],
    readsPane: true,
  },
  {
    name: 'exchange',
    argument: '<number>',
    summary: 'one exchange in full',
    suggestions: ({ snapshot }) => (snapshot?.traffic ?? []).map(({ seq }) => String(seq)),
    steps: exchangeSteps,
  },
  { name: 'facts', summary: 'the last facts', steps: () => [paneStep('facts')], readsPane: true },
  {
    name: 'agenda',
    summary: 'what is due next',
    steps: () => [paneStep('agenda')],
    readsPane: true,
  },
  itemCommand('hold', 'hold an item of the agenda, or release it', 'item.hold p'),
  itemCommand('drop', 'drop an item of the agenda', 'item.drop x'),
  itemCommand('duplicate', 'duplicate an item of the agenda', 'item.duplicate d'),
  itemCommand('delay', 'delay an item of the agenda by 1 s', 'item.delay t'),
  actionCommand('undo', 'undo the last edit of the agenda', 'undo z'),
  { name: 'pause', summary: 'pause the clock', steps: () => [pauseStep(true)] },
  { name: 'resume', summary: 'let the clock run', steps: () => [pauseStep(false)] },
  actionCommand('step', 'take the next item', 'agenda.step n'),
  {
    name: 'advance',
    argument: '[5s]',
    summary: 'advance the clock',
    steps: (text) => [
      () => {
        const ms = parseDuration(text.trim() === '' ? '1s' : text)
        return ms === undefined
          ? plainNotice(`"${text.trim()}" is no duration; write 250ms, 5s, 2m or 1h`)
          : { action: { kind: 'advance', ms } }
      },
    ],
  },
  actionCommand('verdicts', 'the rules, those that failed first', 'verdicts.open I'),
  {
    name: 'verdict',
    argument: '<rule, such as SE-1>',
    summary: 'one rule with its findings and what to do',
    suggestions: ({ snapshot }) => (snapshot?.verdicts ?? []).map(({ id }) => id),
    steps: (text) => [
      (model) => {
        const found = model.snapshot?.verdicts.find(
          ({ id }) => id === firstWord(text).toUpperCase(),
        )
        return found
          ? showStep({ kind: 'listed', overlay: { kind: 'verdict', id: found.id, ...listStart } })(
              model,
            )
          : plainNotice(
              text.trim() === ''
                ? 'which rule? verdicts lists them'
                : `there is no rule ${firstWord(text)} here: verdicts lists them`,
            )
      },
    ],
  },
  actionCommand('judge', 'ask your service for its view, and judge', 'verdicts.judge r'),
  actionCommand('faults', 'the active faults, and all that can be added', 'faults.open f'),
  {
    name: 'faults add',
    argument: '<fault, such as drop:event=CONFIRMED>',
    summary: 'add a fault',
    suggestions: () => [...faultCatalogue.map(({ name }) => name), ...Object.keys(faultProfiles)],
    steps: (text) => [
      () =>
        text.trim() === ''
          ? plainNotice('which fault? faults lists them')
          : { action: { kind: 'fault', spec: text.trim() } },
    ],
  },
  {
    name: 'faults remove',
    argument: '<number>',
    summary: 'disable a fault',
    suggestions: (model) => activeFaults(model).map(({ id }) => String(id)),
    steps: (text) => [
      (model) =>
        activeFaults(model).some(({ id }) => id === numberIn(text))
          ? paletteStep(`disable ${numberIn(text)}`)(model)
          : plainNotice('no active fault has this number: faults lists them'),
    ],
  },
  actionCommand('faults end', 'disable all faults', 'fault.end 0'),
  actionCommand('connect', 'how your service connects', 'contact.open c'),
  actionCommand('save', 'save what you did as a scenario', 'save s'),
  {
    name: 'back',
    summary: 'close what is open, one layer at a time',
    steps: () => [() => outcomeOf({ kind: 'peeled' })],
  },
  {
    name: 'quit',
    summary: 'quit; asks when something would be lost',
    steps: () => [showStep(), paletteStep('quit q')],
  },
]
