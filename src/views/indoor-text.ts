/** Short texts of Indoor facts and commands. */
import type { AccountCommand, IndoorCommand, TableCommand } from '../engine/indoor/command.ts'
import type { AccountFact, IndoorFact, TableFact } from '../engine/indoor/fact.ts'
import { diningPlace } from '../engine/indoor/world.ts'
import { isOfCapability } from '../engine/capability-kind.ts'
import { fromCents } from '../protocol/indoor/money.ts'
import { assertNever } from '../protocol/result.ts'

const count = (many: readonly unknown[], what: string): string =>
  `${many.length} ${what}${many.length === 1 ? '' : 's'}`

const money = (cents: number): string => fromCents(cents).toFixed(2)

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`)

export const indoorFactText = (fact: IndoorFact): string =>
  isOfCapability(fact, 'account') ? accountFactText(fact) : tableFactText(fact)

function accountFactText(fact: AccountFact): string {
  switch (fact.kind) {
    case 'account.opened':
      return `${diningPlace(fact.operationMode, fact.identifier)} opened with ${count(fact.booking.items, 'item')}`
    case 'account.items-added':
      return `${count(fact.booking.items, 'item')} added by another order`
    case 'account.order-rejected':
      return `the account is ${fact.status} and takes no new order`
    case 'account.item-cancelled':
      return `${fact.quantity} of ${fact.item.name} cancelled${because(fact.reason)}`
    case 'account.order-mirrored':
      return fact.over ? 'the cancelled order is off its account' : 'cancelled as in the order'
    case 'account.items-left':
      return `${count([...fact.itemIds, ...fact.lessened], 'item')} left for another account${because(fact.reason)}`
    case 'account.items-arrived':
      return `${count(fact.items, 'item')} arrived from another account`
    case 'account.paid':
      return `${money(fact.payment.cents)} paid by ${fact.payment.methodInfo.method}`
    case 'account.payment-adjusted':
      return `a payment is ${money(fact.payment.cents)} now${because(fact.reason)}`
    case 'account.discounted':
      return `${money(fact.cents)} discount${because(fact.reason)}`
    case 'account.courtesy-granted':
      return `on the house${because(fact.reason)}`
    case 'account.moved':
      return `${fact.from} > ${fact.to}${fact.forced ? ' (forced)' : ''}${because(fact.reason)}`
    case 'account.fiscal-requested':
      return `a fiscal document over ${money(fact.cents)} asked for`
    case 'account.fiscal-concluded':
      return `the fiscal document: ${fact.document.documentStatus}`
    default:
      return assertNever(fact)
  }
}

function tableFactText(fact: TableFact): string {
  switch (fact.kind) {
    case 'table.heard':
      return `OA received ${fact.eventType}`
    case 'table.event-repeated':
      return 'OA received an account event again'
    case 'table.read': {
      const { status, paid, amount } = fact.account
      return `OA read ${status}, ${paid.toFixed(2)} of ${amount.toFixed(2)} paid`
    }
    case 'table.asked':
      return `OA asks: ${fact.act}`
    case 'table.accepted':
      return `OA may: ${fact.act}`
    case 'table.refused':
      return `OA was refused ${fact.act}: ${fact.because}`
    case 'table.put-off':
      return 'OA may not read the account yet'
    case 'table.missing':
      return 'OA finds no account of the order'
    case 'table.payments-read':
      return `OA read ${fact.count} payments`
    case 'table.documents-read':
      return `OA read ${count(fact.statuses, 'fiscal document')}: ${fact.statuses.join(', ')}`
    case 'table.left':
      return fact.because === 'gone' ? 'the guest has gone' : 'OA gives up waiting'
    default:
      return assertNever(fact)
  }
}

export const indoorCommandText = (command: IndoorCommand): string =>
  isOfCapability(command, 'account') ? accountCommandText(command) : tableCommandText(command)

function accountCommandText(command: AccountCommand): string {
  switch (command.kind) {
    case 'account.book':
      return 'the order comes to its account'
    case 'account.mirror':
      return 'what was cancelled in the order is cancelled on its account'
    case 'account.cancel-item':
      return `item ${command.itemId} is cancelled`
    case 'account.transfer':
      return command.transfer.whole
        ? 'everything goes to another account'
        : `${count(command.transfer.items, 'item')} to another account`
    case 'account.pay':
      return `${command.payment.amount.toFixed(2)} paid by ${command.payment.methodInfo.method}`
    case 'account.adjust-payment':
      return `a payment becomes ${command.amount.toFixed(2)}`
    case 'account.discount':
      return `${command.amount.toFixed(2)} discount`
    case 'account.courtesy':
      return 'on the house'
    case 'account.move':
      return `${command.trigger}${command.force ? ', forced' : ''}`
    case 'account.request-fiscal':
      return 'a fiscal document is asked for'
    case 'account.conclude-fiscal':
      return command.outcome === 'issued'
        ? 'the fiscal document is issued'
        : 'the fiscal document fails'
    default:
      return assertNever(command)
  }
}

function tableCommandText(command: TableCommand): string {
  switch (command.kind) {
    case 'table.notify':
      return `${command.event.eventType} reaches OA`
    case 'table.find':
      return 'OA looks for the account of the order'
    case 'table.look':
      return 'OA reads the account'
    case 'table.move':
      return `OA ${command.trigger}${command.force ? ', out of turn' : ''}`
    case 'table.pay':
      return `OA pays ${command.amount === undefined ? 'what is due' : command.amount.toFixed(2)}`
    case 'table.cancel-item':
      return `OA cancels item ${command.itemId}`
    case 'table.transfer':
      return `OA moves ${command.itemIds ? count(command.itemIds, 'item') : 'everything'} to another table`
    case 'table.request-fiscal':
      return 'OA asks for the fiscal document'
    case 'table.list':
      return `OA reads the ${command.what}`
    case 'table.leave':
      return 'the guest goes'
    default:
      return assertNever(command)
  }
}
