/** Renames the identifiers in the metadata of an exchange: `params`, `orderId`, `eventIds`. */
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { meaningOfName } from '../../../core/traffic/entities/field-meaning.ts'
import type { IdentifierKind } from '../../../core/traffic/entities/identifier-kind.ts'

type ExchangeIds = Pick<Exchange, 'params' | 'orderId' | 'eventIds'>

/** New value of an identifier; `kind` where the protocol defines it. */
type Rename = (value: string, kind?: IdentifierKind) => string

export function renameExchangeIds(
  { params, orderId, eventIds, operation }: Exchange,
  rename: Rename,
): ExchangeIds {
  const renamedParams = Object.entries(params ?? {}).map(([name, value]) => [
    name,
    rename(value, meaningOfName(name, operation).kind),
  ])
  return {
    ...(params ? { params: Object.fromEntries(renamedParams) as Record<string, string> } : {}),
    ...(orderId === undefined ? {} : { orderId: rename(orderId, 'order') }),
    ...(eventIds ? { eventIds: eventIds.map((id) => rename(id, 'event')) } : {}),
  }
}
