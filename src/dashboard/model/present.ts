/**
 * The present, whichever kind of thing its list shows: orders, or one of the kinds of entities beside them. Lists,
 * cursors and moves ask here, so that they work alike for all.
 */
import type { EntityDetail, OrderDetail } from '../../session-api/session-api.ts'
import type { Model, Seen } from './model.ts'

export interface PresentRow {
  readonly id: string
  /** The order that it belongs to: the other panes follow it. */
  readonly orderId?: string | undefined
}

/** The rows that were looked at, from the newest on. */
export const presentRows = ({ tab }: Pick<Model, 'tab'>, seen: Seen): readonly PresentRow[] =>
  tab === 'order' && seen.playback
    ? seen.playback.orders.map(({ orderId }) => ({ id: orderId, orderId }))
    : tab === 'order'
      ? seen.orders.map(({ orderId }) => ({ id: orderId, orderId }))
      : seen.entities.filter(({ kind }) => kind === tab)

/** How many there are in all. */
export const presentTotal = ({ tab }: Pick<Model, 'tab'>, seen: Seen): number =>
  tab === 'order' ? (seen.playback?.orderCount ?? seen.info.counts.orders) : seen.entityCount

export const chosenId = ({ tab, orderId, entityIds }: Model): string | undefined =>
  tab === 'order' ? orderId : entityIds[tab]

/** The row becomes the selection, and its order with it. */
export function choose(model: Model, row: PresentRow | undefined): Model {
  if (!row) return model
  const orderId = row.orderId ?? model.orderId
  return model.tab === 'order'
    ? { ...model, orderId }
    : { ...model, orderId, entityIds: { ...model.entityIds, [model.tab]: row.id } }
}

/** What is chosen, whole; undefined until it was looked at. */
export function chosenDetail({ tab, seen }: Model): OrderDetail | EntityDetail | undefined {
  if (tab === 'order') return seen?.order
  return seen?.entity?.row.kind === tab ? seen.entity : undefined
}
