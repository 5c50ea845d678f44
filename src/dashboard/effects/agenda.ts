/**
 * Stepping and reordering as a person means them: among the items that the agenda pane shows. What is hidden, such as
 * loops, goes on of its own accord: a step lets it go by, a move goes past it. Both look at the agenda when their turn
 * comes, since a burst of keys is quicker than the screen.
 */
import type { AgendaCommand } from '../../engine/command.ts'
import type { AgendaRow, SessionApi } from '../../session-api/session-api.ts'
import type { Message, Shown } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { refused, tell } from './notice.ts'

export const shownOf = ({ agenda, only, orderId }: Model): Shown => ({
  background: agenda.background,
  ...(only && orderId !== undefined ? { orderId } : {}),
})

export const isShown = ({ background, orderId }: AgendaRow, shown: Shown): boolean =>
  (shown.background || !background) && (shown.orderId === undefined || orderId === shown.orderId)

/** Further than this nobody looks for an item. */
export const mostLookedAt = 1000

async function shownRows(session: SessionApi, shown: Shown): Promise<readonly AgendaRow[]> {
  return (await session.look({ agenda: { limit: mostLookedAt, ...shown } })).agenda
}

const scheduled = async (session: SessionApi, shown: Shown): Promise<readonly AgendaRow[]> =>
  (await shownRows(session, shown)).filter(({ held }) => !held)

/** Hidden items that one step lets go by at most. */
const maxHiddenSteps = 200

/** Takes items up to the first one that is shown; just one when none is. */
export async function stepShown(session: SessionApi, shown: Shown): Promise<readonly Message[]> {
  for (let hidden = 0; ; hidden++) {
    const scheduledBefore = await scheduled(session, shown)
    const item = await session.step()
    if (!item) return [tell('nothing is pending', 'muted')]
    // As it was before it was taken: what it sets off may make it look like one of the hidden.
    const isShownItem = scheduledBefore.some(({ id }) => id === item.id) || isShown(item, shown)
    if (scheduledBefore.length > 0 && hidden < maxHiddenSteps && !isShownItem) continue
    const others = hidden === 0 ? '' : `, after ${hidden} hidden`
    return [tell(`took #${item.id} ${item.text}${others}`)]
  }
}

/** Takes an item's due time away, or gives it back. */
export async function toggleHold(
  session: SessionApi,
  id: number,
  text: string,
): Promise<readonly Message[]> {
  const { agenda } = await session.look({ agenda: { limit: mostLookedAt } })
  const held = agenda.some((row) => row.id === id && row.held)
  const result = await session.submit({ kind: held ? 'agenda.release' : 'agenda.hold', id })
  return [result.ok ? tell(`${held ? 'released' : 'held'} #${id} ${text}`) : refused(result.error)]
}

/** Moves an item past the one that is shown before or after it. What is held has a place as well. */
export async function moveShown(
  session: SessionApi,
  id: number,
  to: 'earlier' | 'later',
  shown: Shown,
): Promise<readonly Message[]> {
  const rows = await shownRows(session, shown)
  const index = rows.findIndex((row) => row.id === id)
  const item = rows[index]
  const other = item && rows[to === 'later' ? index + 1 : index - 1]
  if (item && !other) return [tell(`#${id} is the ${to === 'later' ? 'last' : 'first'}`, 'muted')]
  const result = await session.submit(moveCommand(id, to, item, other))
  return [result.ok ? tell(`moved ${to}: #${id} ${item?.text ?? ''}`) : refused(result.error)]
}

function moveCommand(
  id: number,
  to: 'earlier' | 'later',
  item: AgendaRow | undefined,
  other: AgendaRow | undefined,
): AgendaCommand {
  // An item that is gone: the session says so in its own words.
  if (!item || !other) return { kind: 'agenda.move', id, to }
  if (!item.held && !other.held) return { kind: 'agenda.move', id, to: { place: other.id } }
  return { kind: 'agenda.arrange', order: to === 'later' ? [other.id, id] : [id, other.id] }
}
