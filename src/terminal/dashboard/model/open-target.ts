/** The target that `enter` opens: the chosen row of the focused pane. */
import { assertNever } from '../../../core/protocol/result.ts'
import { chosenItem, focusOf, type Model } from './model.ts'
import type { DetailTarget } from './overlay.ts'
import { chosenId } from './present.ts'

function presentSubject(model: Model): DetailTarget | undefined {
  const id = chosenId(model)
  if (id === undefined) return undefined
  return model.tab === 'order'
    ? { kind: 'order', orderId: id }
    : { kind: 'entity', of: model.tab, id }
}

/** The exchange that keys act on: the open one, or the one that is chosen in the traffic. */
export function chosenExchangeSeq({ overlay, traffic, snapshot }: Model): number | undefined {
  if (overlay?.kind === 'detail' && overlay.of.kind === 'exchange') return overlay.of.seq
  return traffic.follow ? snapshot?.traffic.at(-1)?.seq : traffic.chosen
}

export function detailTargetOf(model: Model): DetailTarget | undefined {
  const { snapshot } = model
  const pane = focusOf(model)
  switch (pane) {
    case 'traffic': {
      const chosen = chosenExchangeSeq({ ...model, overlay: undefined })
      const row = snapshot?.traffic.find(({ seq }) => seq === chosen)
      return row && { kind: 'exchange', seq: row.seq }
    }
    case 'facts': {
      const row = model.facts.follow
        ? snapshot?.journal.at(-1)
        : snapshot?.journal.find(({ seq }) => seq === model.facts.chosen)
      return row && { kind: 'fact', row }
    }
    case 'orders':
    case 'order':
      return presentSubject(model)
    case 'agenda': {
      const row = chosenItem(model)
      return row && { kind: 'item', row }
    }
    default:
      return assertNever(pane)
  }
}
