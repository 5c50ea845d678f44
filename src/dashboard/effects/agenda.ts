/**
 * Steps, holds and moves items among those that the agenda pane shows. Hidden items, such as loops, are skipped: a step
 * executes them on the way, a move passes over them. The agenda is queried at execution time, since a burst of keys is
 * faster than the screen.
 */
import type { AgendaCommand } from '../../engine/agenda/commands.ts'
import type { AgendaRow, SessionApi } from '../../session-api/session-api.ts'
import type { Message, AgendaFilter } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { refusalMessage, noticeMessage } from './notice.ts'

export const agendaFilterOf = ({ agenda, only, orderId, everything }: Model): AgendaFilter => ({
  background: agenda.background,
  aside: everything,
  ...(only && orderId !== undefined ? { orderId } : {}),
})

export const matchesAgendaFilter = (
  { background, aside, orderId }: AgendaRow,
  shown: AgendaFilter,
): boolean =>
  (shown.background || !background) &&
  (shown.aside || aside !== true) &&
  (shown.orderId === undefined || orderId === shown.orderId)

/** Query limit when an item of the agenda is searched. */
export const maxAgendaRows = 1000

async function shownRows(session: SessionApi, shown: AgendaFilter): Promise<readonly AgendaRow[]> {
  return (await session.look({ agenda: { limit: maxAgendaRows, ...shown } })).agenda
}

const scheduled = async (session: SessionApi, shown: AgendaFilter): Promise<readonly AgendaRow[]> =>
  (await shownRows(session, shown)).filter(({ held }) => !held)

/** Maximum number of hidden items that one step executes on the way. */
const maxHiddenSteps = 200

/** Takes items up to and including the first visible one; just one when none is visible. */
export async function stepShown(
  session: SessionApi,
  shown: AgendaFilter,
): Promise<readonly Message[]> {
  for (let hidden = 0; ; hidden++) {
    const scheduledBefore = await scheduled(session, shown)
    const item = await session.step()
    if (!item) return [noticeMessage('nothing is pending', 'muted')]
    // Visibility before it was taken: its effects may hide it.
    const isShownItem =
      scheduledBefore.some(({ id }) => id === item.id) || matchesAgendaFilter(item, shown)
    if (scheduledBefore.length > 0 && hidden < maxHiddenSteps && !isShownItem) continue
    const others = hidden === 0 ? '' : `, after ${hidden} hidden`
    return [noticeMessage(`took #${item.id} ${item.text}${others}`)]
  }
}

/** Holds an item, or releases it if it is held. */
export async function toggleHold(
  session: SessionApi,
  id: number,
  text: string,
): Promise<readonly Message[]> {
  const { agenda } = await session.look({ agenda: { limit: maxAgendaRows } })
  const held = agenda.some((row) => row.id === id && row.held)
  const result = await session.submit({ kind: held ? 'agenda.release' : 'agenda.hold', id })
  return [
    result.ok
      ? noticeMessage(`${held ? 'released' : 'held'} #${id} ${text}`)
      : refusalMessage(result.error),
  ]
}

/** Moves an item past the next or previous visible one. Held items keep a position as well. */
export async function moveShown(
  session: SessionApi,
  id: number,
  to: 'earlier' | 'later',
  shown: AgendaFilter,
): Promise<readonly Message[]> {
  const rows = await shownRows(session, shown)
  const index = rows.findIndex((row) => row.id === id)
  const item = rows[index]
  const other = item && rows[to === 'later' ? index + 1 : index - 1]
  if (item && !other)
    return [noticeMessage(`#${id} is the ${to === 'later' ? 'last' : 'first'}`, 'muted')]
  const result = await session.submit(moveCommand(id, to, item, other))
  return [
    result.ok
      ? noticeMessage(`moved ${to}: #${id} ${item?.text ?? ''}`)
      : refusalMessage(result.error),
  ]
}

function moveCommand(
  id: number,
  to: 'earlier' | 'later',
  item: AgendaRow | undefined,
  other: AgendaRow | undefined,
): AgendaCommand {
  // The item is gone: the session answers with its own refusal.
  if (!item || !other) return { kind: 'agenda.move', id, to }
  if (!item.held && !other.held) return { kind: 'agenda.move', id, to: { place: other.id } }
  return { kind: 'agenda.arrange', order: to === 'later' ? [other.id, id] : [id, other.id] }
}
