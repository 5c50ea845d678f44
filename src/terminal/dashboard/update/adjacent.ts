/** Opens the next or the previous row in the open overlay: the row of the pane below it, of the list, of the recording. */
import type { Model } from '../model/model.ts'
import { detailTargetOf } from '../model/open-target.ts'
import type { Overlay } from '../model/overlay.ts'
import { playbackOf } from '../model/recording.ts'
import { moveCursor, moveOrders } from './cursors.ts'
import { showPlace } from './overlays.ts'
import { listLinesOf } from '../view/overlays/catalogue.ts'

type Step = 1 | -1

const atEnd = (model: Model, by: Step): Model => ({
  ...model,
  notice: { text: by > 0 ? 'this is the last one' : 'this is the first one', tone: 'muted' },
})

function adjacentDetail(model: Model, by: Step): Model {
  const moved = moveCursor(model, { kind: 'rows', by })
  const of = detailTargetOf(moved)
  const isSame = JSON.stringify(of) === JSON.stringify(detailTargetOf(model))
  if (!of || isSame) return atEnd(model, by)
  return { ...moved, overlay: { kind: 'detail', of, top: 0 } }
}

function adjacentStory(model: Model, by: Step): Model {
  const moved = moveOrders(model, { kind: 'rows', by })
  const { orderId } = moved
  if (orderId === undefined || orderId === model.orderId) return atEnd(model, by)
  return { ...moved, overlay: { kind: 'story', about: orderId, chosen: undefined, top: 0 } }
}

function adjacentVerdict(model: Model, id: string, by: Step): Model {
  const ids = listLinesOf(model, { kind: 'verdicts', chosen: undefined, top: 0 }).flatMap(
    ({ target }) => (target?.kind === 'verdict' ? [target.id] : []),
  )
  const next = ids[ids.indexOf(id) + by]
  if (next === undefined) return atEnd(model, by)
  // The list below has its cursor on the rule that is open.
  const covered = model.covered.map((each): Overlay =>
    each.kind === 'verdicts' ? { ...each, chosen: `verdict ${next}` } : each,
  )
  return {
    ...model,
    covered,
    overlay: { kind: 'verdict', id: next, chosen: undefined, top: 0 },
  }
}

export function openAdjacent(model: Model, by: Step): Model {
  const { overlay } = model
  switch (overlay?.kind) {
    case 'detail':
      return adjacentDetail(model, by)
    case 'story':
      return adjacentStory(model, by)
    case 'verdict':
      return adjacentVerdict(model, overlay.id, by)
    case 'beside': {
      const place = overlay.place + by
      const exists = place >= 0 && place < (playbackOf(model)?.total ?? 0)
      return exists ? showPlace(model, place) : atEnd(model, by)
    }
    default:
      return model
  }
}
