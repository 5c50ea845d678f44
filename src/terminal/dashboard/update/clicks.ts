/** What a click on a row does: its pane gets the focus, and the row is chosen where it is. */
import { assertNever } from '../../../core/protocol/result.ts'
import type { PaneId } from '../model/layout.ts'
import type { Model } from '../model/model.ts'
import { stopFollowing } from '../model/order-list.ts'
import { chooseRow, presentRows } from '../model/present.ts'
import { chooseVisiblePlace, playbackOf } from '../model/recording.ts'
import { isListOverlay } from '../view/overlays/catalogue.ts'
import { chooseLogRow } from './logs.ts'
import { focusPane } from './layers.ts'

type RowClick = string | number

export function clickRow(
  model: Model,
  area: PaneId | 'overlay',
  clicked: RowClick | undefined,
): Model {
  if (area !== 'overlay')
    return clicked === undefined
      ? focusPane(model, area)
      : chooseInPane(focusPane(model, area), area, clicked)
  const { overlay } = model
  return overlay && isListOverlay(overlay) && typeof clicked === 'string'
    ? { ...model, overlay: { ...overlay, chosen: clicked } }
    : model
}

function chooseInPane(model: Model, pane: PaneId, clicked: RowClick): Model {
  switch (pane) {
    case 'traffic':
      return playbackOf(model)
        ? chooseVisiblePlace(model, Number(clicked))
        : chooseLogRow(model, pane, Number(clicked))
    case 'facts':
      return chooseLogRow(model, pane, Number(clicked))
    case 'agenda':
      return chooseItem(model, Number(clicked))
    case 'orders': {
      const rows = model.seen ? presentRows(model, model.seen) : []
      const row = rows.find(({ id }) => id === clicked) ?? { id: String(clicked) }
      // A marked order is shown above the list, which need not have it loaded.
      const orderId = model.tab === 'order' ? row.id : row.orderId
      return chooseRow(stopFollowing(model), { ...row, orderId })
    }
    // Its rows are one order.
    case 'order':
      return model
    default:
      return assertNever(pane)
  }
}

function chooseItem(model: Model, id: number): Model {
  const index = model.seen?.agenda.findIndex((row) => row.id === id) ?? -1
  const row = model.seen?.agenda[index]
  if (!row) return model
  return {
    ...model,
    agenda: { ...model.agenda, chosen: id, index, awaited: undefined },
    orderId: row.orderId ?? model.orderId,
  }
}
