/** The words in which comparisons speak of exchanges, places and values, for whichever reporter. */
import { placeText, valueText as jsonText } from '../../dashboard/view/text/difference.ts'
import type { Difference } from '../../traffic/difference/difference.ts'
import { eventTypeOf } from '../../traffic/difference/polled.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { differing } from '../../traffic/replay/signature.ts'
import type { Replayed } from '../../traffic/replay/status.ts'
import { plain } from '../table.ts'
import type { Standing } from '../../traffic/recording/standing.ts'

const quiet: ReadonlySet<Standing> = new Set(['same', 'noise'])

/** It is told even where only trouble is told. */
export const isTrouble = ({ standing }: Replayed): boolean => !quiet.has(standing)

/** It says that the other side behaves otherwise, and not that something came in between. */
export const isDifferent = ({ standing }: Replayed): boolean => differing.has(standing)

export const openOnes = ({ differences }: Replayed): readonly Difference[] =>
  differences.filter(({ accepted }) => !accepted)

/** `confirmOrder`, `pollingEvents CREATED`, or method and path where nobody knows the operation. */
export function whatOf({ operation, request }: Exchange, type?: string): string {
  const name = operation ?? `${request.method} ${request.url}`
  return plain(type === undefined ? name : `${name} ${type}`)
}

/** `#24  software-service > ordering-application  confirmOrder  order 35bf…` */
export function headOf(replayed: Replayed): string {
  const exchange = replayed.recorded ?? replayed.renamed ?? replayed.live
  if (!exchange) return ''
  const { seq, from, to, orderId } = exchange
  const about = orderId === undefined ? '' : `  order ${plain(orderId)}`
  const number = replayed.recorded ? `#${seq}` : `+#${seq}`
  return `${number}  ${from.role} > ${to.role}  ${whatOf(exchange, eventTypeOf(exchange))}${about}`
}

/** What was sent, and what came back. */
export function lineOf(exchange: Exchange | undefined): string {
  if (!exchange) return ''
  const { request, reply, failure } = exchange
  const path = request.url.replace(/^[a-z]+:\/\/[^/]*/i, '')
  return plain(`${request.method} ${path} ${reply ? reply.status : (failure?.code ?? 'no answer')}`)
}

/** A value as JSON, without what would break a line. */
export const valueText = (value: unknown): string => plain(jsonText(value))

export const placeOf = (difference: Difference): string => plain(placeText(difference))

/** One difference in one line. */
export function differenceText(difference: Difference): string {
  const { kind, recorded, live } = difference
  const what =
    kind === 'missing'
      ? `${valueText(recorded)} is missing`
      : kind === 'extra'
        ? `${valueText(live)} is extra`
        : kind === 'order'
          ? `the order changed: ${valueText(recorded)}, now ${valueText(live)}`
          : `${valueText(recorded)}, now ${valueText(live)}`
  return `${placeOf(difference)}: ${what}`
}

const mostTold = 20

/** All that is wrong with an exchange, a line each, for reporters that write no table. */
export function troubleLines(replayed: Replayed): readonly string[] {
  const open = openOnes(replayed)
  return [
    ...(replayed.because === undefined ? [] : [plain(replayed.because)]),
    ...open.slice(0, mostTold).map(differenceText),
    ...(open.length > mostTold ? [`and ${open.length - mostTold} more`] : []),
  ]
}

/** `3 changed, 1 missing`, in the order of trouble. */
export const countText = (counts: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(counts)
    .map(([standing, many]) => `${many} ${standing}`)
    .join(', ') || 'nothing'
