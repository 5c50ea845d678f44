/** Whether two signatures identify the same failure. */
import type { FailureSignature } from './replay-report.ts'
import { statusClass } from '../exchange.ts'

const isSame = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b

/** Older recordings do not have all members: those that one of them lacks do not count then. */
export function isSameFailure(a: FailureSignature, b: FailureSignature): boolean {
  if (a.kind === 'answer') {
    if (b.kind !== 'answer' || a.operation !== b.operation || statusClass(a) !== statusClass(b))
      return false
    const isOld = a.by === undefined || b.by === undefined
    return (
      isOld ||
      (['by', 'event', 'error', 'order', 'state'] as const).every((key) => a[key] === b[key])
    )
  }
  if (a.kind === 'invariant')
    return b.kind === 'invariant' && a.name === b.name && isSame(a.order, b.order)
  if (a.kind === 'repeat')
    return b.kind === 'repeat' && a.operation === b.operation && a.order === b.order
  if (a.kind === 'ending')
    return b.kind === 'ending' && a.order === b.order && a.state === b.state && a.call === b.call
  return (
    b.kind === 'difference' &&
    a.operation === b.operation &&
    a.standing === b.standing &&
    a.where === b.where &&
    a.statusClass === b.statusClass &&
    isSame(a.order, b.order)
  )
}
