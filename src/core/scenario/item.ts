/**
 * Selects an agenda item by its properties (event, trigger, call, order, channel …), never by its id, which changes as
 * soon as anything before it does. Matches on the public agenda rows.
 */
import { compact } from '../base/compact.ts'
import { z } from 'zod'
import { OperationName, HandoverChannel, EventTypeName, OrderSlot } from './shared-shapes.ts'
import type { AgendaRow, TakenRow } from '../session-api/session-api.ts'
import { strictObject } from '../base/lazy-object.ts'

export const Item = strictObject(() => ({
  event: EventTypeName.optional().describe('it hands over an event of this type'),
  trigger: z
    .string()
    .min(1)
    .optional()
    .describe('it gives effect to a call that was accepted: confirm, dispatch …'),
  call: OperationName.optional().describe('it makes this call'),
  text: z.string().min(1).optional().describe('what it reads on the agenda, word for word'),
  order: OrderSlot.optional(),
  channel: HandoverChannel.optional(),
  attempt: z.int().min(1).optional().describe('the n-th try'),
  held: z.boolean().optional().describe('it is held, or it is not'),
  nth: z.int().min(1).optional().describe('the n-th of those that fit, in the order of the agenda'),
}))
export type ItemSelector = z.output<typeof Item>

/**
 * Event, trigger, call and channel of a row, parsed from its kind and text: `CONFIRMED to polls`, `confirm takes
 * effect`.
 */
function parsedProperties({
  kind,
  text,
}: TakenRow): Partial<Record<'event' | 'trigger' | 'call' | 'channel', string>> {
  const [first = ''] = text.split(' ')
  switch (kind) {
    case 'event.offer':
      return { event: first, channel: 'polling' }
    case 'event.push':
      return { event: first, channel: 'webhook' }
    case 'order.apply':
      return { trigger: first }
    case 'cancellation.answer':
      return { trigger: 'answer-cancellation' }
    case 'call.place': {
      const [, , , call = ''] = text.replace(',', '').split(' ')
      return { call }
    }
    default:
      return {}
  }
}

export function matchesItem(
  row: TakenRow & Partial<Pick<AgendaRow, 'held'>>,
  selector: ItemSelector,
  orderId: string | undefined,
): boolean {
  const about = parsedProperties(row)
  return (
    (selector.event === undefined || about.event === selector.event) &&
    (selector.trigger === undefined || about.trigger === selector.trigger) &&
    (selector.call === undefined || about.call === selector.call) &&
    (selector.channel === undefined || about.channel === selector.channel) &&
    (selector.text === undefined || row.text === selector.text) &&
    (selector.order === undefined || row.orderId === orderId) &&
    (selector.attempt === undefined || row.attempt === selector.attempt) &&
    (selector.held === undefined || row.held === selector.held)
  )
}

/** Whether it is about an order: not of a loop, nor a pause of the service itself. */
export const isOfOrder = ({ orderId, background, kind }: AgendaRow): boolean =>
  orderId !== undefined && !background && kind !== 'pause.end'

/** The selected item, if it is on the agenda. */
export const findItem = (
  rows: readonly AgendaRow[],
  selector: ItemSelector,
  orderId: string | undefined,
): AgendaRow | undefined =>
  rows.filter((row) => matchesItem(row, selector, orderId))[(selector.nth ?? 1) - 1]

/** The shortest selector that identifies an item among these rows; its order is named by slot. */
export function shortestSelector(
  row: AgendaRow,
  rows: readonly AgendaRow[],
  slot: string | undefined,
): ItemSelector {
  const { event, trigger, channel } = parsedProperties(row)
  const about: ItemSelector =
    event !== undefined
      ? { event, channel: channel === 'webhook' ? 'webhook' : 'polling' }
      : trigger !== undefined && trigger === row.text.split(' ')[0]
        ? { trigger }
        : { text: row.text }
  const selector: ItemSelector = { ...about, ...compact({ order: slot }) }
  const same = rows.filter((each) => matchesItem(each, selector, row.orderId))
  const nth = same.findIndex(({ id }) => id === row.id) + 1
  return nth > 1 ? { ...selector, nth } : selector
}

/** A selector as text, for step output. */
export function itemText({
  event,
  trigger,
  call,
  text,
  order,
  channel,
  nth,
}: ItemSelector): string {
  const about = event ?? trigger ?? call ?? text ?? 'an item'
  return [
    ...(nth === undefined ? [] : [`#${nth}`]),
    about,
    ...(order === undefined ? [] : [`of ${order}`]),
    ...(channel === undefined ? [] : [`by ${channel}`]),
  ].join(' ')
}
