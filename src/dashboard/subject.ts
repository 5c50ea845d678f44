/** What `enter` opens: the chosen row of the focused pane, whole. */
import { unreachable } from '../protocol/result.ts'
import { chosenItem, type DetailSubject, focusOf, type Model } from './model.ts'

export function subjectOf(model: Model): DetailSubject | undefined {
  const { seen, orderId } = model
  const pane = focusOf(model)
  switch (pane) {
    case 'traffic': {
      const row = model.traffic.follow
        ? seen?.traffic.at(-1)
        : seen?.traffic.find(({ seq }) => seq === model.traffic.chosen)
      return row && { kind: 'exchange', seq: row.seq }
    }
    case 'facts': {
      const row = model.facts.follow
        ? seen?.journal.at(-1)
        : seen?.journal.find(({ seq }) => seq === model.facts.chosen)
      return row && { kind: 'fact', row }
    }
    case 'orders':
    case 'order':
      return orderId === undefined ? undefined : { kind: 'order', orderId }
    case 'agenda': {
      const row = chosenItem(model)
      return row && { kind: 'item', row }
    }
    default:
      return unreachable(pane)
  }
}
