/** One paragraph about a failure and its cause, to send to the partner or a colleague. */
import { pluralise } from '../../core/protocol/count-text.ts'
import { shortRoleName } from '../../core/protocol/role.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import type { ListedFailure } from './failure-list.ts'
import type { MinimiseResult } from './minimise-options.ts'
import { pathWithoutQuery } from '../difference/candidate-index.ts'

export interface FailureParagraphOptions {
  /** All exchanges, and those of the minimised part. */
  readonly all: readonly RecordedExchange[]
  readonly left: readonly RecordedExchange[]
  readonly culprit: string
  readonly failure: ListedFailure
  readonly minimised: MinimiseResult
  /** Each exchange that is left was left out on trial; otherwise some stay or go together. */
  readonly isEachTried: boolean
}

const callOf = ({ operation, request }: RecordedExchange): string =>
  operation ?? `${request.method} ${pathWithoutQuery(request.url)}`

/** The calls in sequence; repetitions are merged: `getOrder (3×)`. */
function callSequence(left: readonly RecordedExchange[]): string {
  const calls: { text: string; times: number }[] = []
  for (const each of left) {
    const text = `${shortRoleName[each.from.role]}→${shortRoleName[each.to.role]} ${callOf(each)}`
    const last = calls.at(-1)
    if (last?.text === text) last.times++
    else calls.push({ text, times: 1 })
  }
  return calls.map(({ text, times }) => (times === 1 ? text : `${text} (${times}×)`)).join(', ')
}

function confidenceText(
  { confirmed, verified, verdict }: MinimiseResult,
  isEachTried: boolean,
): string {
  const counts = [
    ...(confirmed
      ? [`in ${confirmed.fails} of ${pluralise(confirmed.of, 'replay')} of the whole`]
      : []),
    ...(verified ? [`in ${verified.fails} of ${pluralise(verified.of, 'replay')} of these`] : []),
  ]
  const failed = counts.length === 0 ? '' : `It failed ${counts.join(' and ')}; `
  if (verdict !== 'minimal')
    return `${failed}the search stopped at its limit; a smaller reproduction may exist`
  return `${failed}${isEachTried ? 'without any one of these it does not' : 'nothing smaller was found'}`
}

export function failureParagraph({
  all,
  left,
  culprit,
  failure,
  minimised,
  isEachTried,
}: FailureParagraphOptions): string {
  const orders = new Set(left.flatMap(({ orderId }) => orderId ?? []))
  const place = left.findIndex(({ recordId }) => recordId === culprit) + 1
  const shown = left[place - 1]
  const where = shown ? `, at number ${place}, ${callOf(shown)}` : ''
  const about = orders.size === 0 ? '' : ` of ${pluralise(orders.size, 'order')}`
  return (
    `${pluralise(left.length, 'exchange')} of ${all.length}${about} ${left.length === 1 ? 'is' : 'are'} enough: ` +
    `${failure.text}${where}. They are: ${callSequence(left)}. ` +
    `${confidenceText(minimised, isEachTried)} (${pluralise(minimised.replays, 'replay')} in all, each with fresh ids).`
  )
}
