/** Dispatches the commands of Customer to the functions that decide them. */
import { unreachable } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import type { CustomerCommand } from './command.ts'
import { hear } from './receive-event.ts'
import { applyEntry, ingest } from './ingest.ts'
import { consent, convert, enter, move, review } from './own-changes.ts'
import { pull } from './pull.ts'
import { note, register } from './relation.ts'
import { push, share } from './sharing.ts'

export function decideCustomer(command: CustomerCommand, context: Context): Decision {
  switch (command.kind) {
    case 'customer.ingest':
      return ingest(command, context)
    case 'customer.apply':
      return applyEntry(command, context)
    case 'customer.pull':
      return pull(command, context)
    case 'customer.hear':
    case 'relation.hear':
      return hear(command, context)
    case 'customer.enter':
    case 'relation.enter':
      return enter(command, context)
    case 'customer.consent':
    case 'relation.consent':
      return consent(command, context)
    case 'customer.move':
    case 'relation.move':
      return move(command, context)
    case 'customer.convert':
    case 'relation.convert':
      return convert(command, context)
    case 'customer.review':
    case 'relation.review':
      return review(command, context)
    case 'relation.register':
      return register(command, context)
    case 'relation.record':
      return note(command, context)
    case 'relation.share':
      return share(context)
    case 'relation.push':
      return push(command, context)
    default:
      return unreachable(command)
  }
}
