/** One paragraph about a failure and its cause, to send to the partner or a colleague. */
import { counted } from '../counted.ts'
import { shortName } from '../../protocol/role.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { pathOf } from '../matching/candidate.ts'
import type { Signature } from '../replay/status.ts'
import type { Minimised } from './minimise.ts'

export interface Telling {
  /** All exchanges, and those of the minimised part. */
  readonly all: readonly RecordedExchange[]
  readonly left: readonly RecordedExchange[]
  readonly culprit: string
  readonly signature: Signature
  readonly minimised: Minimised
}

const callOf = ({ operation, request }: RecordedExchange): string =>
  operation ?? `${request.method} ${pathOf(request.url)}`

function failureText(signature: Signature): string {
  if (signature.kind === 'invariant') return `${signature.name} does not hold`
  if (signature.kind === 'answer') return `${signature.operation} is answered ${signature.status}`
  const at = signature.where === '' ? '' : ` at ${signature.where}`
  return `${signature.operation} comes out ${signature.standing}${at}`
}

/** The calls in sequence; repetitions are merged: `getOrder (3×)`. */
function callSequence(left: readonly RecordedExchange[]): string {
  const calls: { text: string; times: number }[] = []
  for (const each of left) {
    const text = `${shortName[each.from.role]}→${shortName[each.to.role]} ${callOf(each)}`
    const last = calls.at(-1)
    if (last?.text === text) last.times++
    else calls.push({ text, times: 1 })
  }
  return calls.map(({ text, times }) => (times === 1 ? text : `${text} (${times}×)`)).join(', ')
}

const confidenceText = ({ confirmed: { fails, of }, verdict }: Minimised): string =>
  `It failed in ${fails} of ${counted(of, 'replay')} of the whole` +
  (verdict === 'minimal'
    ? '; without any one of these it does not'
    : '; the search was broken off, so less may do')

export function paragraph({ all, left, culprit, signature, minimised }: Telling): string {
  const orders = new Set(left.flatMap(({ orderId }) => orderId ?? []))
  const place = left.findIndex(({ recordId }) => recordId === culprit) + 1
  const shown = left[place - 1]
  const where = shown ? `, at number ${place}, ${callOf(shown)}` : ''
  const about = orders.size === 0 ? '' : ` of ${counted(orders.size, 'order')}`
  return (
    `${counted(left.length, 'exchange')} of ${all.length}${about} ${left.length === 1 ? 'is' : 'are'} enough: ` +
    `${failureText(signature)}${where}. They are: ${callSequence(left)}. ` +
    `${confidenceText(minimised)} (${counted(minimised.replays, 'replay')} in all, each with fresh ids).`
  )
}
