/**
 * Convergence as text: what keeps the two sides' views of an order apart, what is still due, and which rules are open.
 */
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { AgendaRow, Explanation, OrderRow, Snapshot } from '../session-api/session-api.ts'
import { newestKnown } from './explain-views.ts'

/** Statuses after which nothing about the order is news. */
const isFinal = (status: string): boolean =>
  status === 'CONCLUDED' || status === 'CANCELLED' || status === 'DELIVERED'

/** A courier who waits for the food of an order that is over causes nothing. */
const isIdle = ({ kind, orderId }: AgendaRow, orders: readonly OrderRow[]): boolean =>
  kind === 'delivery.wait' &&
  orders.some((order) => order.orderId === orderId && isFinal(order.status))

/** What is due about orders, in one sentence; undefined when nothing is. Loops and new orders are not waited for. */
export function dueWorkText({ agenda, orders }: Pick<Snapshot, 'agenda' | 'orders'>) {
  const due = agenda.filter(
    (row) => !row.background && row.orderId !== undefined && !isIdle(row, orders),
  )
  const [first] = due
  if (first === undefined) return undefined
  const held = due.filter((row) => row.held).length
  const heldText = held > 0 ? `, ${held} of them held` : ''
  return `${due.length} on the agenda${heldText}: ${first.text} first`
}

/** The rules that require an action which is missing, while its deadline has not passed. */
export const openRuleTexts = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts
    .filter(({ outcome }) => outcome === 'open')
    .map(({ id, sentence, findings }) => `${id} is open: ${findings[0]?.because ?? sentence}`)

/**
 * How the views of an order differ now, as a sentence; undefined when they agree. V1 orders show no status: for them only a
 * split counts that the explanation reports.
 */
export function disagreementText(
  { slot, orderId, host, known, other, splits }: Explanation,
  hasStatus: boolean,
): string | undefined {
  const name = slot ?? orderId ?? 'the order'
  const open = splits.find(({ to }) => to === undefined)
  if (open) return `${name}: ${open.text}: ${open.because}`
  const status = host.at(-1)?.status
  if (!hasStatus || status === undefined) return undefined
  const view = newestKnown(known, host)?.status
  // CONCLUDED after a known final status need not be known.
  const agrees = view === status || (status === 'CONCLUDED' && view !== undefined && isFinal(view))
  return agrees
    ? undefined
    : `${name}: it is ${status}, and ${other.name} knows ${view === undefined ? 'nothing of it' : `it as ${view}`}`
}
