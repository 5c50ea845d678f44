/** Description of a step in one line, for output and reports. */
import { formatDuration } from '../protocol/duration.ts'
import { itemText } from './item.ts'
import { type StepEntry, usualWaitMs } from './steps.ts'
import { howOftenText } from './shared-shapes.ts'

const listed = (value: string | readonly string[]): string =>
  typeof value === 'string' ? value : value.join(' or ')

const ofOrder = (order: string | undefined): string => (order === undefined ? '' : ` of ${order}`)

const shortText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

export function stepText(entry: StepEntry): string {
  switch (entry.word) {
    case 'create':
      return `${listed(entry.given).replaceAll(' or ', ', ')} is placed`
    case 'crowd':
      return `${entry.given.times} orders are placed`
    case 'trigger':
      return `${entry.given.move}${ofOrder(entry.given.order)}${entry.given.force ? ', by force' : ''}`
    case 'emit':
      return `${entry.given.event}${ofOrder(entry.given.order)} is emitted`
    case 'alter':
      return `${entry.given.event}${ofOrder(entry.given.order)} is changed`
    case 'await': {
      const { call, event, acknowledged, status, order, times, within } = entry.given
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
      return `wait for ${what}${countSuffix}, ${formatDuration(within ?? usualWaitMs)} at most`
    }
    case 'advance':
      return `${formatDuration(entry.given)} pass`
    case 'step':
      return `${entry.given} ${entry.given === 1 ? 'item' : 'items'} of the agenda`
    case 'hold':
    case 'release':
    case 'drop':
    case 'duplicate':
    case 'edit':
      return `${entry.word} ${itemText(entry.given)}`
    case 'delay':
      return `delay ${itemText(entry.given)} by ${formatDuration(entry.given.by)}`
    case 'move': {
      const { to, onto } = entry.given
      return `move ${itemText(entry.given)} ${onto ? `to the place of ${itemText(onto)}` : to}`
    }
    case 'together':
      return `${entry.given.length} edits together`
    case 'arrange':
      return `arrange ${entry.given.map(itemText).join(', ')}`
    case 'undo':
    case 'redo':
      return entry.word
    case 'fault':
      return `fault ${shortText(entry.given)}`
    case 'end-of-faults':
      return 'the end of faults'
    case 'check': {
      const { status, view, call, order } = entry.given
      if (call !== undefined) return `${call}${ofOrder(order)} ${howOftenText(entry.given)}`
      const who =
        view === undefined
          ? (order ?? 'every order')
          : `${order ?? 'every order'}, by your service,`
      return `${who} is ${listed(status ?? view ?? '')}`
    }
    case 'clock': {
      const { mode, speed } = entry.given
      return `the clock: ${[mode, speed === undefined ? undefined : `${speed} times as fast`].filter(Boolean).join(', ')}`
    }
    case 'command':
      return `command ${entry.given.kind}`
    case 'ask':
      return `your service is asked for ${entry.given.for ?? entry.given.path}${ofOrder(entry.given.order)}`
    case 'restart-subject':
      return 'your service is started again'
    default:
      return entry satisfies never
  }
}
