/** Decides the commands of Indoor, at the host and at its client. */
import { unreachable } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import { isOf } from '../of-kind.ts'
import { cancelItem, move, transfer } from './account-commands.ts'
import { adjustPayment, discount, grantCourtesy, pay } from './account-money.ts'
import { book } from './booking.ts'
import type { AccountCommand, IndoorCommand } from './command.ts'
import { concludeFiscal, requestFiscal } from './fiscal-commands.ts'
import { mirror } from './mirror.ts'
import { decideTable } from './table-commands.ts'

export const decideIndoor = (command: IndoorCommand, context: Context): Decision =>
  isOf(command, 'account') ? decideAccount(command, context) : decideTable(command, context)

function decideAccount(command: AccountCommand, context: Context): Decision {
  switch (command.kind) {
    case 'account.book':
      return book(command, context)
    case 'account.mirror':
      return mirror(command, context)
    case 'account.cancel-item':
      return cancelItem(command, context)
    case 'account.transfer':
      return transfer(command, context)
    case 'account.pay':
      return pay(command, context)
    case 'account.adjust-payment':
      return adjustPayment(command, context)
    case 'account.discount':
      return discount(command, context)
    case 'account.courtesy':
      return grantCourtesy(command, context)
    case 'account.move':
      return move(command, context)
    case 'account.request-fiscal':
      return requestFiscal(command, context)
    case 'account.conclude-fiscal':
      return concludeFiscal(command, context)
    default:
      return unreachable(command)
  }
}
