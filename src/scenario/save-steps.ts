/** Converts one operator action to a scenario step; actions without a step of their own become a `command` step. */
import { compact } from '../compact.ts'
import type { Command } from '../engine/command.ts'
import type { ItemEdit } from '../engine/agenda/commands.ts'
import type { AgendaRow, OperatorAction } from '../session-api/session-api.ts'
import { formatDuration } from '../protocol/duration.ts'
import type { ItemSelector } from './item.ts'
import type { SavedNames } from './save-names.ts'
import type { ScenarioInput } from './schema.ts'
import { orderMoves } from './steps.ts'

type StepInput = NonNullable<ScenarioInput['steps']>[number]

const isMove = (trigger: string): trigger is (typeof orderMoves)[number] =>
  (orderMoves as readonly string[]).includes(trigger)

const answers = {
  accept: 'accept-cancellation',
  deny: 'deny-cancellation',
  open: 'leave-cancellation-open',
} as const

/** Replaces order ids by slots in a command. */
function withSlots(value: unknown, names: SavedNames): unknown {
  if (Array.isArray(value)) return value.map((each) => withSlots(each, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === 'orderId' && typeof each === 'string'
        ? [key, names.slotOf(each) ?? each]
        : [key, withSlots(each, names)],
    ),
  )
}

const commandStep = (command: Command, names: SavedNames): StepInput => ({
  command: withSlots(command, names) as never,
})

/** Step for a command on an order or its events; undefined when there is none. */
async function orderStep(command: Command, names: SavedNames): Promise<StepInput | undefined> {
  switch (command.kind) {
    case 'order.request': {
      const order = names.slotOf(command.orderId)
      return order === undefined ? undefined : { trigger: { order, move: command.trigger } }
    }
    case 'order.apply': {
      const { trigger: move, force, metadata = {}, quiet } = command
      const order = names.slotOf(command.orderId)
      const { code, reason, ...more } = metadata
      const isExpressible = Object.keys(more).length === 0 && !quiet
      const ours = force === true || move === 'cancel' || move === 'conclude' || move === 'collect'
      if (order === undefined || !isMove(move) || !isExpressible || !ours) return undefined
      return {
        trigger: {
          order,
          move,
          ...(typeof code === 'string' ? { code } : {}),
          ...(typeof reason === 'string' ? { reason } : {}),
          ...compact({ force }),
        },
      }
    }
    case 'cancellation.answer': {
      const order = names.slotOf(command.orderId)
      return order === undefined ? undefined : { trigger: { order, move: answers[command.answer] } }
    }
    case 'event.emit': {
      const { eventType: event, metadata, force } = command
      const order = names.slotOf(command.orderId)
      if (order === undefined) return undefined
      const more = metadata ? { metadata: metadata as never } : {}
      return { emit: { order, event, ...more, ...compact({ force }) } }
    }
    case 'event.invent': {
      const order = names.slotOf(command.orderId)
      return order === undefined ? undefined : { emit: { order, event: command.eventType } }
    }
    case 'event.alter': {
      const event = await names.event(command.eventId)
      return event && { alter: { ...event, change: command.change as never } }
    }
    default:
      return undefined
  }
}

/** Step for an edit of one item, selected as it was before the edit. */
async function editStep(
  edit: ItemEdit,
  rows: readonly AgendaRow[],
  after: number,
  names: SavedNames,
): Promise<Pick<StepInput, 'hold' | 'release' | 'drop' | 'duplicate' | 'delay'> | undefined> {
  const row = rows.find(({ id }) => id === edit.id)
  if (!row) return undefined
  if (edit.kind === 'agenda.release') return { release: await names.item(row, after, true) }
  const item = await names.item(row, after)
  switch (edit.kind) {
    case 'agenda.hold':
      return { hold: item }
    case 'agenda.drop':
      return { drop: item }
    case 'agenda.duplicate':
      return { duplicate: item }
    case 'agenda.delay':
      return { delay: { ...item, by: formatDuration(edit.byMs) } }
    default:
      return edit satisfies never
  }
}

/** Step for an edit of the agenda; undefined when there is none. */
async function agendaStep(
  action: OperatorAction,
  names: SavedNames,
): Promise<StepInput | undefined> {
  if (action.what.kind !== 'command') return undefined
  const { command } = action.what
  const { after } = action
  const rows = [...(action.item ? [action.item] : []), ...(action.items ?? [])]
  const named = async (id: number): Promise<ItemSelector | undefined> => {
    const row = rows.find((each) => each.id === id)
    return row && names.item(row, after)
  }
  switch (command.kind) {
    case 'agenda.hold':
    case 'agenda.release':
    case 'agenda.drop':
    case 'agenda.duplicate':
    case 'agenda.delay':
      return editStep(command, rows, after, names)
    case 'agenda.move': {
      const item = await named(command.id)
      if (!item) return undefined
      const { to } = command
      if (typeof to === 'string') return { move: { ...item, to } }
      const target = await names.rowOf(to.place, after)
      return target && { move: { ...item, onto: await names.item(target, after) } }
    }
    case 'agenda.edit': {
      const item = await named(command.id)
      return item && { edit: { ...item, change: command.change as never } }
    }
    case 'agenda.batch': {
      const edits = await Promise.all(
        command.edits.map((edit) => editStep(edit, rows, after, names)),
      )
      const together = edits.filter((edit) => edit !== undefined)
      return together.length === edits.length ? { together } : undefined
    }
    case 'agenda.arrange': {
      const items = await Promise.all(command.order.map(named))
      const arrange = items.filter((item) => item !== undefined)
      return arrange.length === items.length ? { arrange } : undefined
    }
    case 'agenda.undo':
      return command.past ? undefined : { undo: true }
    case 'agenda.redo':
      return command.past ? undefined : { redo: true }
    default:
      return undefined
  }
}

export async function savedSteps(
  action: OperatorAction,
  names: SavedNames,
): Promise<readonly StepInput[]> {
  const { what } = action
  switch (what.kind) {
    case 'order':
      return [{ create: names.slotOf(what.orderId) ?? what.orderId }]
    case 'step':
      return [{ step: 1 }]
    case 'advance':
      return what.ms > 0 ? [{ advance: what.ms }] : []
    // The player drives the clock, and the service makes its own calls.
    case 'clock':
    case 'resend':
      return []
    case 'command': {
      const { command } = what
      if (command.kind === 'fault.add') return [{ fault: command.spec as never }]
      if (command.kind === 'fault.end') return [{ 'end-of-faults': true }]
      const step = (await agendaStep(action, names)) ?? (await orderStep(command, names))
      return [step ?? commandStep(command, names)]
    }
    default:
      return what satisfies never
  }
}
