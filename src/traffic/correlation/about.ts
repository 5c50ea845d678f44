/** What an exchange says that it is about, beside its messages, in other names. */
import type { Exchange } from '../exchange.ts'
import { kindOfName } from './kinds.ts'
import type { IdentifierKind } from './identifier-kind.ts'

type About = Pick<Exchange, 'params' | 'orderId' | 'eventIds'>

/** Answers a name for a name of a kind, as far as the protocol says of what. */
type Rename = (value: string, kind?: IdentifierKind) => string

export function renamedAbout(
  { params, orderId, eventIds, operation }: Exchange,
  rename: Rename,
): About {
  const named = Object.entries(params ?? {}).map(([name, value]) => [
    name,
    rename(value, kindOfName(name, operation).kind),
  ])
  return {
    ...(params ? { params: Object.fromEntries(named) as Record<string, string> } : {}),
    ...(orderId === undefined ? {} : { orderId: rename(orderId, 'order') }),
    ...(eventIds ? { eventIds: eventIds.map((id) => rename(id, 'event')) } : {}),
  }
}
