/**
 * Access to the rows of pane 3, whether they are orders or another entity kind, so that lists, cursors and moves work
 * alike for all.
 */
import type { OrderDetail } from '../../../core/session-api/session-api.ts'
import { oncePer } from './memo.ts'
import type { Model, ReceivedSnapshot } from './model.ts'
import type { EntityDetail } from '../../../core/session-api/entities.ts'

export interface PresentRow {
  readonly id: string
  /** Order that the row belongs to; the other panes follow it. */
  readonly orderId?: string | undefined
}

const rowsOfOrders = oncePer(
  (orders: readonly { readonly orderId: string }[]): readonly PresentRow[] =>
    orders.map(({ orderId }) => ({ id: orderId, orderId })),
)

/** Loaded rows, newest first. */
export const presentRows = (
  { tab }: Pick<Model, 'tab'>,
  snapshot: ReceivedSnapshot,
): readonly PresentRow[] =>
  tab === 'order'
    ? rowsOfOrders((snapshot.playback ?? snapshot).orders)
    : snapshot.entities.filter(({ kind }) => kind === tab)

/** Total number of rows. */
export const presentTotal = ({ tab }: Pick<Model, 'tab'>, snapshot: ReceivedSnapshot): number =>
  tab === 'order'
    ? (snapshot.playback?.orderCount ?? snapshot.found?.orders ?? snapshot.info.counts.orders)
    : snapshot.entityCount

export const chosenId = ({
  tab,
  orderId,
  entityIds,
}: Pick<Model, 'entityIds' | 'orderId' | 'tab'>): string | undefined =>
  tab === 'order' ? orderId : entityIds[tab]

/** Selects the row, and its order. */
export function chooseRow(model: Model, row: PresentRow | undefined): Model {
  if (!row) return model
  const orderId = row.orderId ?? model.orderId
  return model.tab === 'order'
    ? { ...model, orderId }
    : { ...model, orderId, entityIds: { ...model.entityIds, [model.tab]: row.id } }
}

/** Full details of the chosen row; undefined until loaded. */
export function chosenDetail({ tab, snapshot }: Model): OrderDetail | EntityDetail | undefined {
  if (tab === 'order') return snapshot?.order
  return snapshot?.entity?.row.kind === tab ? snapshot.entity : undefined
}
