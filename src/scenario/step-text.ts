/** Description of a step in one line, for output and reports. */
import { formatDuration } from '../protocol/duration.ts'
import { itemText } from './item.ts'
import type { StepEntry } from './steps.ts'
import { countConditionText } from './shared-shapes.ts'

const listed = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : value.join(' or ')

const ofOrder = (order: string | undefined): string => (order === undefined ? '' : ` of ${order}`)

const shortText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

export function stepText(entry: StepEntry): string {
  switch (entry.kind) {
    case 'create':
      return `${listed(entry.input).replaceAll(' or ', ', ')} is placed`
    case 'crowd':
      return `${entry.input.times} orders are placed`
    case 'trigger':
      return `${entry.input.move}${ofOrder(entry.input.order)}${entry.input.force ? ', forced' : ''}`
    case 'emit':
      return `${entry.input.event}${ofOrder(entry.input.order)} is emitted`
    case 'alter':
      return `${entry.input.event}${ofOrder(entry.input.order)} is changed`
    case 'await': {
      const { call, event, acknowledged, status, order, times, within } = entry.input
      const what =
        call !== undefined
          ? `the call ${call}${ofOrder(order)}`
          : event !== undefined
            ? `${event}${ofOrder(order)} to arrive`
            : acknowledged !== undefined
              ? `${acknowledged}${ofOrder(order)} to be acknowledged`
              : status !== undefined
                ? `${order ?? 'every order'} to be ${status}`
                : 'quiet'
      const countSuffix = times === undefined || times === 1 ? '' : `, ${times} times`
      return `wait for ${what}${countSuffix}${within === undefined ? '' : `, ${formatDuration(within)} at most`}`
    }
    case 'advance':
      return `${formatDuration(entry.input)} pass`
    case 'step':
      return `${entry.input} ${entry.input === 1 ? 'item' : 'items'} of the agenda`
    case 'hold':
    case 'release':
    case 'drop':
    case 'duplicate':
    case 'edit':
      return `${entry.kind} ${itemText(entry.input)}`
    case 'delay':
      return `delay ${itemText(entry.input)} by ${formatDuration(entry.input.by)}`
    case 'move': {
      const { to, onto } = entry.input
      return `move ${itemText(entry.input)} ${onto ? `to the place of ${itemText(onto)}` : to}`
    }
    case 'together':
      return `${entry.input.length} edits together`
    case 'arrange':
      return `arrange ${entry.input.map(itemText).join(', ')}`
    case 'undo':
    case 'redo':
      return entry.kind
    case 'fault':
      return `fault ${shortText(entry.input)}`
    case 'end-of-faults':
      return 'the end of faults'
    case 'check': {
      const { status, view, call, order } = entry.input
      if (call !== undefined) return `${call}${ofOrder(order)} ${countConditionText(entry.input)}`
      const who =
        view === undefined
          ? (order ?? 'every order')
          : `${order ?? 'every order'}, by your service,`
      return `${who} is ${listed(status ?? view ?? '')}`
    }
    case 'clock': {
      const { mode, speed } = entry.input
      return `the clock: ${[mode, speed === undefined ? undefined : `${speed} times as fast`].filter(Boolean).join(', ')}`
    }
    case 'command':
      return `command ${entry.input.kind}`
    case 'ask':
      return `your service is asked for ${entry.input.for ?? entry.input.path}${ofOrder(entry.input.order)}`
    case 'restart-subject':
      return 'your service is started again'
    default:
      return entry satisfies never
  }
}
