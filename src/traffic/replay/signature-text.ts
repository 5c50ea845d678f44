/** A failure in one sentence. */
import type { FailureSignature } from './replay-report.ts'

const ofOrder = (order: string | undefined): string =>
  order === undefined ? '' : ` of order ${order}`

export function signatureText(signature: FailureSignature): string {
  if (signature.kind === 'invariant')
    return `rule ${signature.name} fails${signature.order === undefined ? '' : ` for order ${signature.order}`}`
  if (signature.kind === 'repeat')
    return `${signature.operation}${ofOrder(signature.order)} is made again after it succeeded`
  if (signature.kind === 'ending')
    return signature.call === undefined
      ? `order ${signature.order} is left at ${signature.state}`
      : `order ${signature.order} is ${signature.state}, and the service still makes ${signature.call}`
  if (signature.kind === 'answer') {
    const { operation, event, order, status, error, state, by } = signature
    const what = `${operation}${event === undefined ? '' : ` ${event}`}${ofOrder(order)}`
    const answered = by === 'partner' ? 'is refused by the partner with' : 'is answered'
    return `${what} ${answered} ${status}${error === undefined ? '' : ` (${error})`}${state === undefined ? '' : `, after ${state}`}`
  }
  const at = signature.where === '' ? '' : ` at ${signature.where}`
  return `${signature.operation}${ofOrder(signature.order)} comes out ${signature.standing}${at}`
}
