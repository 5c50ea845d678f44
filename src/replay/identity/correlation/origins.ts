/** Who generated an identifier: the role that the protocol defines, else the party that wrote it first. */
import type { Role } from '../../../core/protocol/role.ts'
import type { Exchange, Party } from '../../../core/traffic/exchange.ts'
import { isAcknowledgmentCall } from '../../../core/traffic/polling.ts'
import type { CorrelateOptions, Origin } from '../../../core/traffic/recording/correlation.ts'
import { secretKinds, sharedKinds } from '../../../core/traffic/entities/field-meaning.ts'
import type { MessageSide } from '../../../core/traffic/entities/mentions.ts'
import type { IdentifierKind } from '../../../core/traffic/entities/identifier-kind.ts'

const makerRoles: Readonly<Partial<Record<IdentifierKind, Role>>> = {
  order: 'ordering-application',
  delivery: 'delivery-platform',
  quote: 'delivery-platform',
  courier: 'delivery-platform',
  account: 'software-service',
  payment: 'software-service',
  document: 'software-service',
  'order-code': 'software-service',
  'loyalty-account': 'crm',
  redemption: 'crm',
  transaction: 'crm',
  coupon: 'crm',
}

export interface FirstOccurrence {
  readonly kind: IdentifierKind
  readonly value: string
  readonly exchange: Exchange
  readonly side: MessageSide
}

function makerOf({ kind, exchange, side }: FirstOccurrence): Party {
  const { from, to } = exchange
  const role = makerRoles[kind]
  if (role !== undefined && from.role === role) return from
  if (role !== undefined && to.role === role) return to
  // An acknowledging party did not generate the event.
  if (kind === 'event' && isAcknowledgmentCall(exchange)) return to
  return side === 'request' ? from : to
}

export function originOf(
  occurrence: FirstOccurrence,
  { ours, shared = {} }: CorrelateOptions,
): Origin {
  if (secretKinds.has(occurrence.kind)) return 'secret'
  if (sharedKinds.has(occurrence.kind) || Object.hasOwn(shared, occurrence.value)) return 'shared'
  return ours(makerOf(occurrence)) ? 'ours' : 'theirs'
}
