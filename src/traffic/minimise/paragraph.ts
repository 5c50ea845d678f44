/** One paragraph about a failure and its cause that a person can send to the partner, or to a colleague. */
import { counted } from '../counted.ts'
import { shortName } from '../../protocol/role.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import { pathOf } from '../matching/candidate.ts'
import type { Signature } from '../replay/status.ts'
import type { Minimised } from './minimise.ts'

export interface Telling {
  /** What was searched, and what is left of it. */
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

/** Repeated calls in a row are one: `getOrder (3×)`. */
function story(left: readonly RecordedExchange[]): string {
  const told: { text: string; times: number }[] = []
  for (const each of left) {
    const text = `${shortName[each.from.role]}→${shortName[each.to.role]} ${callOf(each)}`
    const last = told.at(-1)
    if (last?.text === text) last.times++
    else told.push({ text, times: 1 })
  }
  return told.map(({ text, times }) => (times === 1 ? text : `${text} (${times}×)`)).join(', ')
}

const sureness = ({ confirmed: { fails, of }, verdict }: Minimised): string =>
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
    `${failureText(signature)}${where}. They are: ${story(left)}. ` +
    `${sureness(minimised)} (${counted(minimised.replays, 'replay')} in all, each with fresh ids).`
  )
}
