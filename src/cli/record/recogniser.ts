/** Says of an exchange that went through a proxy what it was: its operation, its order, its events, who it was for. */
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import { type WebhookName, webhookNames } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'
import type { Exchange, Party } from '../../traffic/exchange.ts'
import { aboutOf, pathIn, recognise, type Recognised } from '../../traffic/recognise.ts'

/** The operation that hands events of a kind over; of the two sides that take it, both have the same. */
const receiving: Readonly<Record<WebhookName, OperationId>> = {
  orders: 'receiveOrderEvent',
  accounts: 'receiveAccountEvent',
  delivery: 'receiveDeliveryEvent',
  customer: 'receiveCustomerEvent',
  loyalty: 'receiveLoyaltyEvent',
}

export interface RecogniserOptions {
  /** The paths on which the user's service receives events. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
  readonly subject: Role
}

export function createRecogniser({ webhooks, subject }: RecogniserOptions) {
  function found({ request, to }: Exchange): Recognised | undefined {
    const path = pathIn(request.url)
    const name =
      to.role === subject ? webhookNames.find((each) => path.endsWith(webhooks[each])) : undefined
    if (name === undefined) return recognise(request.method, request.url)
    const prefix = path.slice(0, -webhooks[name].length)
    return { row: operation(receiving[name]), params: {}, prefix }
  }

  /** The partner is who was named, unless only others can do this: then one of them was meant. */
  const meant = (able: readonly Role[], usual: Role): Role =>
    able.includes(usual) ? usual : (able.find((role) => role !== subject) ?? usual)

  const partyOf = (party: Party, able: readonly Role[]): Party =>
    party.party === 'partner' ? { ...party, role: meant(able, party.role) } : party

  return (exchange: Exchange): Exchange => {
    const what = found(exchange)
    if (!what) return exchange
    const { row, params } = what
    return {
      ...exchange,
      from: partyOf(exchange.from, row.callers),
      to: partyOf(exchange.to, row.hosts),
      operation: row.id,
      params,
      ...aboutOf(what, exchange),
    }
  }
}
