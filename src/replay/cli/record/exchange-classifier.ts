/** Classifies a proxied exchange: operation, parameters, order, events and the role of the partner. */
import { operation, type OperationId } from '../../../core/protocol/catalogue.ts'
import { type WebhookName, webhookNames } from '../../../core/protocol/operation.ts'
import type { Role } from '../../../core/protocol/role.ts'
import type { Exchange, Party } from '../../../core/traffic/exchange.ts'
import {
  orderAndEventsOf,
  urlPath,
  recogniseOperation,
  type RecognisedCall,
} from '../../../core/traffic/recognise-operation.ts'

/** The webhook operation for each kind of event. */
const webhookOperation: Readonly<Record<WebhookName, OperationId>> = {
  orders: 'receiveOrderEvent',
  accounts: 'receiveAccountEvent',
  delivery: 'receiveDeliveryEvent',
  customer: 'receiveCustomerEvent',
  loyalty: 'receiveLoyaltyEvent',
}

export interface ExchangeClassifierOptions {
  /** Webhook paths of the subject. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
  readonly subject: Role
}

export function createExchangeClassifier({ webhooks, subject }: ExchangeClassifierOptions) {
  function found({ request, to }: Exchange): RecognisedCall | undefined {
    const path = urlPath(request.url)
    const name =
      to.role === subject ? webhookNames.find((each) => path.endsWith(webhooks[each])) : undefined
    if (name === undefined) return recogniseOperation(request.method, request.url)
    const prefix = path.slice(0, -webhooks[name].length)
    return { row: operation(webhookOperation[name]), params: {}, prefix }
  }

  /** The configured partner role, unless it cannot take part in the operation: then a role that can. */
  const partnerRole = (possible: readonly Role[], configured: Role): Role =>
    possible.includes(configured)
      ? configured
      : (possible.find((role) => role !== subject) ?? configured)

  const partyOf = (party: Party, possible: readonly Role[]): Party =>
    party.party === 'partner' ? { ...party, role: partnerRole(possible, party.role) } : party

  return (exchange: Exchange): Exchange => {
    const recognised = found(exchange)
    if (!recognised) return exchange
    const { row, params } = recognised
    return {
      ...exchange,
      from: partyOf(exchange.from, row.callers),
      to: partyOf(exchange.to, row.hosts),
      operation: row.id,
      params,
      ...orderAndEventsOf(recognised, exchange),
    }
  }
}
