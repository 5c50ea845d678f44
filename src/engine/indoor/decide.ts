/** Decides the commands of Indoor, at the host and at its client. */
import { assertNever } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { isOfCapability } from '../capability-kind.ts'
import { cancelAccountItem, moveAccount, transferItems } from './account-commands.ts'
import { adjustPayment, discountAccount, grantCourtesy, payAccount } from './account-money.ts'
import { bookOrder } from './booking.ts'
import type { AccountCommand, IndoorCommand } from './command.ts'
import { concludeFiscalDocument, requestFiscalDocument } from './fiscal-commands.ts'
import { mirrorCancellations } from './cancellation-mirror.ts'
import { decideTable } from './table-commands.ts'

export const decideIndoor = (command: IndoorCommand, context: DecisionContext): Decision =>
  isOfCapability(command, 'account')
    ? decideAccount(command, context)
    : decideTable(command, context)

function decideAccount(command: AccountCommand, context: DecisionContext): Decision {
  switch (command.kind) {
    case 'account.book':
      return bookOrder(command, context)
    case 'account.mirror':
      return mirrorCancellations(command, context)
    case 'account.cancel-item':
      return cancelAccountItem(command, context)
    case 'account.transfer':
      return transferItems(command, context)
    case 'account.pay':
      return payAccount(command, context)
    case 'account.adjust-payment':
      return adjustPayment(command, context)
    case 'account.discount':
      return discountAccount(command, context)
    case 'account.courtesy':
      return grantCourtesy(command, context)
    case 'account.move':
      return moveAccount(command, context)
    case 'account.request-fiscal':
      return requestFiscalDocument(command, context)
    case 'account.conclude-fiscal':
      return concludeFiscalDocument(command, context)
    default:
      return assertNever(command)
  }
}
