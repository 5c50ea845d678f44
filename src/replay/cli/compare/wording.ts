/** Text for exchanges, differences and values, shared by the comparison reporters. */
import {
  differencePlaceText,
  jsonValueText as jsonText,
} from '../../../terminal/dashboard/view/text/difference.ts'
import type { Difference } from '../../../core/traffic/recording/difference.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { eventTypeOf } from '../../../core/traffic/recording/split-by-event.ts'
import { appliedEditText } from '../../../core/traffic/recording/exchange-edit.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { differingStandings } from '../../minimise/failure-signature.ts'
import type { ReplayedExchange } from '../../../core/traffic/recording/replay-report.ts'
import { displayPath, displayUrl } from '../../../core/traffic/redaction/display.ts'
import { escapeControls, withVisibleDifference } from '../../../core/traffic/escape-controls.ts'
import { unremarkableStandings } from '../../../core/traffic/recording/standing.ts'

/** It needs attention; shown with `--quiet` too. */
export const isDeviation = ({ standing }: ReplayedExchange): boolean =>
  !unremarkableStandings.has(standing)

/** The live side behaves differently, as opposed to an exchange that could not be compared. */
export const isBehaviourDifference = ({ standing }: ReplayedExchange): boolean =>
  differingStandings.has(standing)

export const unacceptedDifferences = ({ differences }: ReplayedExchange): readonly Difference[] =>
  differences.filter(({ accepted }) => !accepted)

/** `confirmOrder`, `pollingEvents CREATED`, or method and URL of an unknown operation. */
export function operationText({ operation, request }: Exchange, type?: string): string {
  const name = operation ?? `${request.method} ${displayUrl(request.url)}`
  return escapeControls(type === undefined ? name : `${name} ${type}`)
}

/** `#24  software-service > ordering-application  confirmOrder  order 35bf…` */
export function exchangeHeading(replayed: ReplayedExchange): string {
  const exchange = replayed.recorded ?? replayed.renamed ?? replayed.live
  if (!exchange) return ''
  const { seq, from, to, orderId } = exchange
  const orderText = orderId === undefined ? '' : `  order ${escapeControls(orderId)}`
  const mark = replayed.recorded?.edits ? ' (edited)' : ''
  const number = replayed.recorded ? `#${seq}${mark}` : `+#${seq}`
  return `${number}  ${from.role} > ${to.role}  ${operationText(exchange, eventTypeOf(exchange))}${orderText}`
}

/** One line for each exchange that was edited before it was played. */
export const editLines = (exchanges: readonly ReplayedExchange[]): readonly string[] =>
  exchanges.flatMap((replayed) => {
    const { recorded } = replayed
    if (!recorded?.edits) return []
    const edits = recorded.edits.map(appliedEditText).join('; ')
    return [`#${recorded.seq}  ${operationText(recorded)}: ${escapeControls(edits)}`]
  })

/** `POST /v2/orders 200` */
export function exchangeLineText(exchange: Exchange | undefined): string {
  if (!exchange) return ''
  const { request, reply, failure } = exchange
  const path = displayPath(request.url)
  return escapeControls(
    `${request.method} ${path} ${reply ? reply.status : (failure?.code ?? 'no answer')}`,
  )
}

/** A value as JSON on one line. */
export const comparedValueText = (value: unknown): string => escapeControls(jsonText(value))

/** Both values of a difference, as texts that look different. */
export const comparedTexts = ({
  recorded,
  live,
}: Pick<Difference, 'recorded' | 'live'>): readonly [recorded: string, live: string] =>
  withVisibleDifference(comparedValueText(recorded), comparedValueText(live))

export const differencePlace = (difference: Difference): string =>
  escapeControls(differencePlaceText(difference))

/** One difference in one line. */
export function differenceText(difference: Difference): string {
  const { kind } = difference
  const [recorded, live] = comparedTexts(difference)
  const change =
    kind === 'missing'
      ? `${recorded} is missing`
      : kind === 'extra'
        ? `${live} is extra`
        : kind === 'order'
          ? `the order changed: ${recorded}, now ${live}`
          : `${recorded}, now ${live}`
  return `${differencePlace(difference)}: ${change}`
}

const maxLines = 20

/** The deviations of an exchange, one per line, for reporters without a table. */
export function deviationLines(replayed: ReplayedExchange): readonly string[] {
  const open = unacceptedDifferences(replayed)
  return [
    ...(replayed.because === undefined ? [] : [escapeControls(replayed.because)]),
    ...open.slice(0, maxLines).map(differenceText),
    ...(open.length > maxLines ? [`and ${open.length - maxLines} more`] : []),
  ]
}

/** `61 exchanges`, or `61 exchanges in 75 parts, one for each event` where polls were compared event by event. */
export function comparedText(parts: readonly ReplayedExchange[]): string {
  const whole = new Set(parts.map(({ recorded, live }) => recorded?.seq ?? `live ${live?.seq}`))
    .size
  const split = whole < parts.length ? ` in ${parts.length} parts, one for each event` : ''
  return `${pluralise(whole, 'exchange')}${split}`
}

/** `3 changed, 1 missing` */
export const countsText = (counts: Readonly<Partial<Record<string, number>>>): string =>
  Object.entries(counts)
    .map(([standing, many]) => `${many} ${standing}`)
    .join(', ') || 'nothing'
