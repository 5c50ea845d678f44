/** Dispatches the commands of Customer to the functions that decide them. */
import { assertNever } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { CustomerCommand } from './command.ts'
import { receiveCustomerEvent } from './receive-event.ts'
import { applyEntry, ingestRecords } from './ingest.ts'
import {
  changeConsent,
  convertLead,
  enterRecord,
  moveCustomer,
  addReview,
} from './local-commands.ts'
import { pullRecords } from './pull.ts'
import { recordOrder, registerCustomer } from './relation.ts'
import { pushAgain, flushOutbox } from './flush-outbox.ts'

export function decideCustomer(command: CustomerCommand, context: DecisionContext): Decision {
  switch (command.kind) {
    case 'customer.ingest':
      return ingestRecords(command, context)
    case 'customer.apply':
      return applyEntry(command, context)
    case 'customer.pull':
      return pullRecords(command, context)
    case 'customer.hear':
    case 'relation.hear':
      return receiveCustomerEvent(command, context)
    case 'customer.enter':
    case 'relation.enter':
      return enterRecord(command, context)
    case 'customer.consent':
    case 'relation.consent':
      return changeConsent(command, context)
    case 'customer.move':
    case 'relation.move':
      return moveCustomer(command, context)
    case 'customer.convert':
    case 'relation.convert':
      return convertLead(command, context)
    case 'customer.review':
    case 'relation.review':
      return addReview(command, context)
    case 'relation.register':
      return registerCustomer(command, context)
    case 'relation.record':
      return recordOrder(command, context)
    case 'relation.share':
      return flushOutbox(context)
    case 'relation.push':
      return pushAgain(command, context)
    default:
      return assertNever(command)
  }
}
